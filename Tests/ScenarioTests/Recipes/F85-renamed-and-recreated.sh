# Files are renamed and created again under their old names, as in log rotation, faster than they are inspected.
. "${0%/*}/prelude.sh"
dz_conf quiet=1 Handler.Workers=6; dz_handler 'sleep 3; accept'; dz_start
for i in 1 2 3; do say "old $i" 3000 > "$Z/log$i.txt"; done
dz_see '"itemsCount":3'
dz_pause
for i in 1 2 3; do mv "$Z/log$i.txt" "$Z/log$i.old"; say "new $i" 3000 > "$Z/log$i.txt"; done
dz_cont
dz_see '"inHand":6'; [[ ${KILLED:-} ]] && { dz_kill; dz_start; }
dz_idle 6
