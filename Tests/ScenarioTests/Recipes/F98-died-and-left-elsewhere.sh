# The daemon dies after its handler has given the payload another name in the hold; the handler of a delivered payload has
# left a log there too.
. "${0%/*}/prelude.sh"
dz_conf quiet=0.3; dz_handler 'echo said > "$1.log"; accept'; dz_start
say m 3000 > "$Z/m.txt"; dz_idle 1
dz_handler 'mv "$1" "$1.done"; kill -KILL $PPID; sleep 2'
say n 3000 > "$Z/n.txt"; dz_gone
dz_handler accept; dz_start; dz_receipts 3; dz_idle; dz_stop; dz_start; dz_idle
