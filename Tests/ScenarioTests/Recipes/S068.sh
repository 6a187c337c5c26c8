# The same name is dropped again while the first file is judged.
. "${0%/*}/prelude.sh"
dz_handler 'sleep 6; accept'; dz_start
pdf first 20000 > "$Z/Scan.pdf"; dz_see '"inHand":1' 10; sleep 1
pdf second 9000 > "$S/n.pdf"; mv "$S/n.pdf" "$Z/Scan.pdf"
dz_idle 2
