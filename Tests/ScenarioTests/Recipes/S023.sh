# rsync writes a hidden name with a random ending and renames it.
. "${0%/*}/prelude.sh"
dz_start
( exec 3>"$Z/.rep.pdf.a1B2c3"; dz_mark begun; for i in 1 2 3 4; do say "$i" 20000 >&3; sleep 1; done )
mv "$Z/.rep.pdf.a1B2c3" "$Z/rep.pdf"
dz_idle
