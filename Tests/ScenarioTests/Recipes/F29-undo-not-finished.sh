# A delivery is undone, and the steps after the rename fail at first; a client asks for the undo again.
. "${0%/*}/prelude.sh"
dz_conf quiet=0.3; dz_start
say n 3000 > "$Z/n.txt"; dz_idle 1
ID=$(dz_cli history --json | sed 's/.*"id":"\([^"]*\)".*/\1/'); dz_stop
case ${CONF[Zone.Box]} in "$X") dz_fault "unlink:$X/n.txt:5:2";; *) dz_fault "fsync:$Z:5:2";; esac
dz_start
dz_cli undo "$ID" > "$DZ_WORK/undo" 2>&1; dz_cli undo "$ID" > "$DZ_WORK/undo.again" 2>&1
dz_receipts 2 15; dz_idle; dz_stop
dz_fault; dz_start; sleep 1; dz_idle
