# A file that was copied to the box cannot be removed from the hold for a while, and then the daemon starts again.
. "${0%/*}/prelude.sh"
dz_conf box=X quiet=0.3; dz_fault "unlink:$T/*.hold/0*:5:2"; dz_start
say n 30000 > "$Z/n.bin"; dz_receipts 1; dz_kill
dz_fault "unlink:$T/*.hold/0*:5:2"; dz_start; dz_idle 1
until [[ -z $(find "$T"/*.hold -name '0*') ]]; do sleep 0.1; done
