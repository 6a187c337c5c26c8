# Files with markers are copied; originals and markers stay, before and after a restart.
. "${0%/*}/prelude.sh"
dz_conf quiet=0.3 marker=.done stalled=60 rescan=2 Delivery.Operation=copy; dz_start
: > "$Z/n.txt.done"; dz_see '"isTargeted":true'; say n 3000 > "$Z/n.txt"; dz_receipts 1 15
dz_see '"isTargeted":false' 5; sleep 3; dz_cli status --json > "$DZ_WORK/meanwhile"
dz_stop; dz_start; sleep 3; dz_cli status --json > "$DZ_WORK/after"
say m 4000 > "$Z/n.txt"; dz_receipts 2 15; dz_see '"isTargeted":false' 5; dz_idle
