# The daemon dies while the handler has a copy; the next one delivers it, and then the original is written to.
. "${0%/*}/prelude.sh"
dz_conf quiet=0.3 Delivery.Operation=copy; dz_crash_on '*'; dz_start
say n 3000 > "$Z/n.txt"; dz_gone
dz_handler accept; dz_start; dz_idle 1
say m 3000 >> "$Z/n.txt"; dz_idle 2
