# A browser keeps an empty placeholder beside the growing .part file.
. "${0%/*}/prelude.sh"
dz_start
: > "$Z/archive.zip"; ( exec 3>"$Z/archive.zip.part"; for i in 1 2 3 4 5; do say "$i" 40000 >&3; sleep 1; done )
mv "$Z/archive.zip.part" "$Z/archive.zip"
dz_idle
