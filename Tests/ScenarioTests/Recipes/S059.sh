# A second and a third file arrive while the handler runs.
. "${0%/*}/prelude.sh"
dz_handler 'sleep 4; accept'; dz_start
pdf p1 3000 > "$Z/p1.pdf"; sleep 3; pdf p2 3000 > "$Z/p2.pdf"; sleep 3; pdf p3 3000 > "$Z/p3.pdf"
dz_idle 3
