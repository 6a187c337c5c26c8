# Files of one name wait in two directories, and come together into a box that has one level.
. "${0%/*}/prelude.sh"
dz_conf quiet=0.3 Delivery.Flatten=yes Delivery.Collision=reject
mkdir "$Z/a" "$Z/b"; say one 300000 > "$Z/a/x.txt"; say two 200000 > "$Z/b/x.txt"
dz_start; dz_idle 2
