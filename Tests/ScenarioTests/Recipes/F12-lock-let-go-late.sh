# A child of a daemon that was killed keeps the daemon's locks for a moment longer.
. "${0%/*}/prelude.sh"
mkdir -p "$DZ_STATE"; flock "$DZ_STATE" sleep 0.5 & sleep 0.1
dz_start; say n 3000 > "$Z/n.txt"; dz_idle 1
