# The handler is slow, and the queue is long.
. "${0%/*}/prelude.sh"
dz_handler 'sleep 2; test -r "$1" && accept'; dz_start
for i in $(seq 20); do pdf "q$i" 3000 > "$Z/q$i.pdf"; sleep 0.02; done; dz_mark dropped; dz_idle 20
