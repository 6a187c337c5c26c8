# The daemon dies right after a delivery has its own name again; the next one cannot sync the zone at first.
. "${0%/*}/prelude.sh"
dz_conf quiet=0.3; dz_start
say n 3000 > "$Z/n.txt"; dz_idle 1
ID=$(dz_cli history --json | sed 's/.*"id":"\([^"]*\)".*/\1/'); dz_stop
dz_fault "rename:$Z/n.txt:DIED:1"; [[ ${CONF[Zone.Box]} == "$X" ]] && dz_fault "rename:$Z/n.txt:DIED:2"
dz_start; dz_cli undo "$ID" > "$DZ_WORK/undo" 2>&1; dz_gone
dz_fault "fsync:$Z:5:2"; dz_start; sleep 1; dz_receipts 2 15; dz_idle; dz_stop
dz_fault; dz_start; sleep 1; dz_idle
