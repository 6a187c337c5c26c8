# The handler answers "not yet", but by then there is a new file with that name.
# The daemon dies with the first one in the hold.
. "${0%/*}/prelude.sh"
dz_handler "mkdir '$DZ_WORK/asked' 2> /dev/null && { touch '$L/judging'; sleep 2; notyet; }; accept"
dz_conf quiet=0.3; dz_start
say first 3000 > "$Z/n.txt"; until [[ -e $L/judging ]]; do sleep 0.05; done
( exec 3> "$Z/n.txt"; say second 5000 >&3; sleep 4 ) & writer=$!
until grep -q 'cannot be put back' "$DZ_WORK/daemon.log"; do sleep 0.05; done; dz_kill
dz_start; wait "$writer"; dz_idle 2
