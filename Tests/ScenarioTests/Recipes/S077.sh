# One file is too big for the box; small ones fit.
. "${0%/*}/prelude.sh"
mount -t tmpfs -o size=1m tmpfs "$B" || dz_skip 'no mount'
dz_start
say huge 4000000 > "$Z/huge.bin"; for i in 1 2 3 4 5; do say "s$i" 10000 > "$Z/s$i.bin"; done
dz_receipts 5; dz_see '"state":"blocked"' 10; sleep 5
