# After the handler has accepted a payload, it cannot be opened because there are no descriptors.
. "${0%/*}/prelude.sh"
dz_conf quiet=0.3; dz_fault "open:$T/box.hold/0*:24:2"; dz_start
say n 30000 > "$Z/n.bin"; dz_idle 1
