# The sender appends under the old name while the payload is judged.
. "${0%/*}/prelude.sh"
dz_handler 'sleep 5; accept'; dz_start
say v 10000 > "$Z/log.txt"; dz_see '"inHand":1' 10; sleep 1; ( exec 3>>"$Z/log.txt"; say w 5000 >&3 ) || :
dz_idle 1
