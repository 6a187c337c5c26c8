# The handler leaves child processes behind that keep its pipes open.
. "${0%/*}/prelude.sh"
dz_conf timeout=10; dz_handler '( sleep 60 ) & ( setsid sleep 60 >/dev/null 2>&1 ) & accept'; dz_start
pdf bg 3000 > "$Z/bg.pdf"; pdf nx 3000 > "$Z/nx.pdf"; dz_mark dropped; dz_idle 2
ps -o stat= --ppid "$DZ_PID" 2>/dev/null | grep -c '^Z' > "$DZ_WORK/zombies"
