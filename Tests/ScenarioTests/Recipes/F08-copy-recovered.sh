# The daemon dies with a copy in hand; the next one cannot open it for longer than the original waits in the zone.
. "${0%/*}/prelude.sh"
dz_conf quiet=0.3 Delivery.Operation=copy; dz_fault "rename:$B/n.txt:KILL:1"; dz_start
say n 3000 > "$Z/n.txt"; dz_gone
dz_fault "open:$T/box.hold/0*:5:1"; dz_start; dz_idle 1; sleep 1; dz_idle
