# A file arrives in a known directory when there is no free descriptor.
. "${0%/*}/prelude.sh"
dz_conf quiet=0.3 rescan=300; mkdir "$Z/d"; dz_start
limit=$(prlimit --pid "$DZ_PID" --nofile --output SOFT --noheadings | tr -d ' ')
free=0; while [[ -L /proc/$DZ_PID/fd/$free ]]; do free=$((free + 1)); done
prlimit --pid "$DZ_PID" --nofile="$free:" || dz_skip 'the limit of another process cannot be set'
say n 3000 > "$Z/d/n.txt"; sleep 0.5; dz_mark dropped
prlimit --pid "$DZ_PID" --nofile="$limit:"
dz_receipts 1 15; dz_idle
