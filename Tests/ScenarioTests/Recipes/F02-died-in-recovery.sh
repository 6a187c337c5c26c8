# The daemon dies before a complete copy is renamed, and the next one dies while it recovers the copy.
. "${0%/*}/prelude.sh"
dz_conf box=X quiet=0.3; dz_fault "rename:$X/n.bin:KILL:2"; dz_start
say n 30000 > "$Z/n.bin"; dz_gone
dz_fault "unlink:$X/.dropzone-*:DIED:1"; dz_start; dz_gone
dz_fault; dz_start; dz_idle 1
