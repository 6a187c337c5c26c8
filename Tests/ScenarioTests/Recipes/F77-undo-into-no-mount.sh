# A delivery is undone while its zone is not mounted, and again when it is.
. "${0%/*}/prelude.sh"
dz_disk ext4 "$Z"; dz_conf quiet=0.3; dz_start; say n 3000 > "$Z/n.txt"; dz_idle 1
ID=$(dz_cli history --json | sed 's/.*"id":"\([^"]*\)".*/\1/')
umount "$Z"; dz_cli undo "$ID" > "$DZ_WORK/undo" 2>&1; echo $? > "$DZ_WORK/exit"
ls "$B" > "$DZ_WORK/boxed"; ls -A "$Z" > "$DZ_WORK/between"
mount -o loop "$DZ_WORK/zone.img" "$Z"; dz_see '"state":"idle"'; dz_cli undo "$ID" > "$DZ_WORK/undo.again" 2>&1
dz_receipts 2 15; dz_idle
