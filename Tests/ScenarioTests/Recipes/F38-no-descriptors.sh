# There are no free descriptors for a while, and the zone is scanned during that time.
. "${0%/*}/prelude.sh"
dz_conf quiet=3 rescan=1; dz_start
say n 3000 > "$Z/n.txt"; dz_see '"location":"n.txt"'
limit=$(prlimit --pid "$DZ_PID" --nofile --output SOFT --noheadings | tr -d ' ')
free=0; while [[ -L /proc/$DZ_PID/fd/$free ]]; do free=$((free + 1)); done
prlimit --pid "$DZ_PID" --nofile="$free:" || dz_skip 'the limit of another process cannot be set'
sleep 2
prlimit --pid "$DZ_PID" --nofile="$limit:"
dz_receipts 1 15; dz_idle
