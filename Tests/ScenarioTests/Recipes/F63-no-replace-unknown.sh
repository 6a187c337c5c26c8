# The box knows no rename that replaces nothing.
. "${0%/*}/prelude.sh"
dz_conf quiet=0.3; BOX=${CONF[Zone.Box]}; [[ ${CONF[Delivery.Collision]:-} ]] || say there 100 > "$BOX/n.txt"
dz_fault "rename:$BOX/*:22:-1;rename:$BOX.rejects/*:22:-1${MORE:+;$MORE:$BOX/*:1:-1}"
dz_handler '[[ $DROP_NAME == no.txt ]] && reject no; accept'; dz_start
say n 3000 > "$Z/n.txt"; say no 3000 > "$Z/no.txt"
if [[ ${MORE:-} ]]; then dz_see '"state":"blocked"' 20; dz_cli status > "$DZ_WORK/said"; dz_stop; dz_fault; dz_start; fi
dz_idle 2
