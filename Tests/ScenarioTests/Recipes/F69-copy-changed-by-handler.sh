# A handler changes the copy that it is asked about, and the original is scanned again and again. Once, the daemon dies
# before the copy has its name.
. "${0%/*}/prelude.sh"
dz_conf quiet=0.3 rescan=1 Delivery.Operation=copy Handler.Changes=yes
dz_handler 'printf changed >> "$1"; accept'
[[ ${DIES:-} ]] && dz_fault "rename:$B/*:KILL:1"; dz_start
say n 3000 > "$Z/n.txt"
if [[ ${DIES:-} ]]; then dz_gone 20; dz_fault; dz_start; fi
dz_idle 1; sleep 3; touch "$Z/o.txt"; say o 3000 > "$Z/o.txt"; dz_idle 2; dz_stop; dz_start; sleep 3
