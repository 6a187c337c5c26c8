# The zone's directory is removed and created again.
. "${0%/*}/prelude.sh"
dz_start
rm -rf "$Z"; dz_see '"state":"unavailable"' 10; sleep 1; mkdir "$Z"; pdf z 4000 > "$Z/z.pdf"
dz_idle 1
