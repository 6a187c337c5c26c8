# A complete copy cannot be renamed, and then the daemon dies.
. "${0%/*}/prelude.sh"
dz_conf box=X quiet=0.3; dz_fault "rename:$X/n.bin:18:1;rename:$X/n.bin:5:-1"; dz_start
say n 30000 > "$Z/n.bin"; dz_see '"state":"blocked"'; dz_kill
dz_fault; dz_start; dz_idle 1
