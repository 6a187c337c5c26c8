# A delivery cannot be undone at first: its rename fails, or the disk of the zone is full.
. "${0%/*}/prelude.sh"
dz_conf quiet=0.3; dz_start
say n 3000 > "$Z/n.txt"; dz_idle 1
ID=$(dz_cli history --json | sed 's/.*"id":"\([^"]*\)".*/\1/'); dz_stop
case ${CONF[Zone.Box]} in "$X") dz_fault "write:$Z/.dropzone-*:28:1";; *) dz_fault "rename:$Z/n.txt:5:1";; esac
dz_start
dz_cli undo "$ID" > "$DZ_WORK/undo" 2>&1; ls -A "$Z" > "$DZ_WORK/between"; dz_cli history --json > "$DZ_WORK/history"
dz_cli undo "$ID" > "$DZ_WORK/undo.again" 2>&1
dz_idle 2; dz_stop; dz_start; sleep 1; dz_idle
