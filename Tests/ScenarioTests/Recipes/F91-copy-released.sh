# A refused copy is released, and then again; its copy is put back, and the original is released.
. "${0%/*}/prelude.sh"
id() { dz_cli history --json | tail -1 | sed 's/.*"id":"\([^"]*\)".*/\1/'; }
dz_conf quiet=0.3 Delivery.Operation=copy; dz_handler 'reject no good'; dz_start
say n 3000 > "$Z/n.txt"; dz_idle 1
ID=$(id); dz_cli release "$ID" > "$DZ_WORK/release" 2>&1; dz_idle 2
dz_cli release "$ID" > "$DZ_WORK/release.again" 2>&1; dz_idle
dz_cli history --json | wc -l > "$DZ_WORK/receipts"; ls "$B" "$R" > "$DZ_WORK/between"
dz_cli undo "$ID" > "$DZ_WORK/undo" 2>&1; dz_receipts 3
dz_handler accept; dz_cli release "$ID" > "$DZ_WORK/release.undone" 2>&1; dz_idle 4
