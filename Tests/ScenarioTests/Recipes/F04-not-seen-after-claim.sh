# Right after its rename into the hold, a payload cannot be inspected.
. "${0%/*}/prelude.sh"
dz_conf quiet=0.3; dz_fault "look:$T/box.hold/0*:5:1"; dz_start
say n 30000 > "$Z/n.bin"; dz_idle 1
