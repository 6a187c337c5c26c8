# A delivery whose names are not valid text is undone; the daemon dies in the middle of the second undo.
. "${0%/*}/prelude.sh"
D=$Z/$'d\xfe'; N=$'bad\xff\xfe.txt'
dz_conf quiet=0.3; mkdir "$D"; dz_start
say n 3000 > "$D/$N"; say m 3000 > "$Z/m$N"; dz_idle 2
dz_cli history --json | sed 's/.*"id":"\([^"]*\)".*/\1/' > "$DZ_WORK/ids"
dz_cli undo "$(sed -n 1p "$DZ_WORK/ids")" > "$DZ_WORK/undo" 2>&1
dz_stop
case ${CONF[Zone.Box]} in "$X") dz_fault "write:$Z/*.dropzone-*:KILL:1";; *) dz_fault "rename:$Z/*bad*:KILL:1";; esac
dz_start; dz_cli undo "$(sed -n 2p "$DZ_WORK/ids")" > "$DZ_WORK/undo" 2>&1; dz_gone
dz_fault; dz_start; dz_receipts 4 20; dz_idle
