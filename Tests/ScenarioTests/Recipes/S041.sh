# A directory is deleted and created again, five times.
. "${0%/*}/prelude.sh"
mkdir "$Z/d"; dz_start
for i in 1 2 3 4 5; do rm -rf "$Z/d"; mkdir "$Z/d"; pdf "r$i" 3000 > "$Z/d/r$i.pdf"; dz_receipts "$i" 20; done
dz_idle
