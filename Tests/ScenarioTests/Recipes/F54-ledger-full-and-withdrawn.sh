# The ledger has no room when a file is withdrawn and the zone is paused; the next daemon knows both.
. "${0%/*}/prelude.sh"
mkdir -p "$DZ_STATE"; mount -t tmpfs -o size=2m tmpfs "$DZ_STATE" || dz_skip 'no mount'
dz_conf quiet=5 rescan=300; dz_start
for i in $(seq 10); do say "$i" 1000 > "$Z/$i.txt"; done; dz_see '"itemsCount":10'
yes > "$DZ_STATE/filler" 2> /dev/null
rm "$Z"/*.txt; dz_see '"itemsCount":0' 10; dz_cli pause z; sleep 3
rm "$DZ_STATE/filler"; dz_receipts 10 45
sleep 1; dz_stop; dz_start
dz_see '"state":"paused"' 5; dz_cli resume z
say n 3000 > "$Z/n.txt"; dz_idle 11
