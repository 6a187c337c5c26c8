# The file system of the ledger is full for a while, also during a start.
. "${0%/*}/prelude.sh"
mkdir -p "$DZ_STATE"; mount -t tmpfs -o size=2m tmpfs "$DZ_STATE" || dz_skip 'no mount'
dz_conf quiet=0.3; dz_start; say a 3000 > "$Z/a.txt"; dz_idle 1
yes > "$DZ_STATE/filler" 2> /dev/null
for i in $(seq 40); do say "$i" 1000 > "$Z/$i.txt"; done
dz_see 'cannotbewritten' 30; sleep 1; dz_alive || dz_note 'the daemon exited because there was no room'
rm "$DZ_STATE/filler"; dz_idle 41
