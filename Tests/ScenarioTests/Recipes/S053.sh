# Directories become empty by delivery, and are then used again. Pruning is a variant.
. "${0%/*}/prelude.sh"
mkdir -p "$Z/todo/car"; dz_start
pdf c1 3000 > "$Z/todo/car/c1.pdf"; dz_idle 1; sleep 3
mkdir -p "$Z/todo/car"; pdf c2 3000 > "$Z/todo/car/c2.pdf"
dz_idle 2; sleep 3; dz_idle
