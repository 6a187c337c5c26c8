# A transfer is already running when the daemon starts.
. "${0%/*}/prelude.sh"
( exec 3>"$Z/inflight.iso"; for i in 1 2 3 4 5 6 7 8; do say "$i" 50000 >&3; sleep 1; done ) & writer=$!
sleep 2; dz_start; wait "$writer"; dz_idle
