# No file system supports a rename that does not replace.
. "${0%/*}/prelude.sh"
dz_conf quiet=0.3; BOX=${CONF[Zone.Box]}; say there 100 > "$BOX/n.txt"
dz_fault "exclusive:@($T|${X%/box})/*:22:-1${MORE:+;$MORE:@($BOX|$BOX.rejects)/*:1:-1}"
dz_handler '[[ $DROP_NAME == n.txt && $DROP_ATTEMPT == 1 ]] && notyet; [[ $DROP_NAME == no.txt ]] && reject no; accept'; dz_start
say n 3000 > "$Z/n.txt"; say no 3000 > "$Z/no.txt"
if [[ ${MORE:-} ]]; then dz_see '"state":"blocked"' 20; dz_cli status > "$DZ_WORK/said"; dz_stop; dz_fault; dz_start; fi
dz_idle 2
