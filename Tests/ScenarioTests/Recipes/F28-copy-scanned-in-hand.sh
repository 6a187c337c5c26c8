# The handler of a copy takes longer than the time between two scans.
. "${0%/*}/prelude.sh"
dz_handler 'sleep 4; accept'
dz_conf quiet=0.3 rescan=1 Delivery.Operation=copy Handler.Workers=4; dz_start
say n 3000 > "$Z/n.txt"; dz_idle 1; dz_idle
