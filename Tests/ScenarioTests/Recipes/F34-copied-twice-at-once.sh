# A file is rewritten or replaced (HOW=replaced) while its copy is in hand, and the second copy finishes before the
# first.
. "${0%/*}/prelude.sh"
dz_handler 'mkdir "$L/judging" 2> /dev/null && sleep 4; accept'
dz_conf quiet=0.3 rescan=1 Delivery.Operation=copy Handler.Workers=4; dz_start
say n 3000 > "$Z/n.txt"; until [[ -e $L/judging ]]; do sleep 0.05; done
case ${HOW:-} in
  replaced) say other 4000 > "$S/n.txt"; mv "$S/n.txt" "$Z/n.txt";;
  *) say other 4000 > "$Z/n.txt";;
esac
dz_idle 2; sleep 1.5; dz_idle; dz_stop
dz_start; sleep 1; dz_idle
