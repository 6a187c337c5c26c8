# The daemon dies before a complete copy is renamed; the next one cannot inspect it at first.
. "${0%/*}/prelude.sh"
dz_conf box=X quiet=0.3; dz_fault "rename:$X/n.bin:KILL:2"; dz_start
say n 30000 > "$Z/n.bin"; dz_gone
dz_fault "look:$X/.dropzone-*:5:1"; dz_start; dz_idle 1
