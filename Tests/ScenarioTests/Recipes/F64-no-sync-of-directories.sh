# The directories of box, rejects and hold cannot be synced.
. "${0%/*}/prelude.sh"
dz_conf quiet=0.3; BOX=${CONF[Zone.Box]}
dz_fault "fsync:@($BOX|$BOX.rejects|$BOX.hold|$Z.hold):22:-1"
dz_handler '[[ $DROP_NAME == no.txt ]] && reject no; accept'; dz_start
say n 3000 > "$Z/n.txt"; say no 3000 > "$Z/no.txt"; dz_idle 2
