# The box is moved away while the handler has the payload, for longer than two retries take.
. "${0%/*}/prelude.sh"
dz_conf quiet=0.3; dz_handler 'sleep 1; accept'; dz_start
say n 3000 > "$Z/n.txt"; dz_see '"inHand":1' 10; mv "$B" "$B.away"; dz_see '"state":"blocked"'
sleep 5
mv "$B.away" "$B"; dz_idle 1
