# The box cannot be synced at first: there is no receipt until it can.
. "${0%/*}/prelude.sh"
dz_conf quiet=0.3; dz_fault "fsync:$B:5:1"; dz_start
say n 30000 > "$Z/n.bin"; dz_see '"state":"blocked"'; dz_cli history --json > "$DZ_WORK/early"; dz_idle 1
