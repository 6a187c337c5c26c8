# While its copy is in hand, a file is rewritten, and has its old size and time again before it is inspected.
. "${0%/*}/prelude.sh"
dz_handler 'touch "$L/judging"; sleep 3; accept'
dz_conf quiet=0.3 Delivery.Operation=copy Delivery.Digest=no Handler.Workers=4; dz_start
say n 3000 > "$Z/n.txt"; until [[ -e $L/judging ]]; do sleep 0.05; done
touch -r "$Z/n.txt" "$L/when"; dz_pause
say other 3000 | dd of="$Z/n.txt" conv=notrunc status=none; touch -r "$L/when" "$Z/n.txt"
dz_cont; dz_idle 2
