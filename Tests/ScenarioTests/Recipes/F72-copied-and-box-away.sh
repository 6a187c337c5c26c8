# The daemon dies before a complete copy has its name, and the next one starts while the box is not mounted.
. "${0%/*}/prelude.sh"
dz_disk ext4 "$B"; dz_conf quiet=0.3; dz_fault "rename:$B/n.txt:KILL:2"; dz_start
say n 3000 > "$Z/n.txt"; dz_gone
umount "$B"; dz_fault; dz_start; dz_see '"state":"blocked"' 10; sleep 1; find "$B.hold" -type f | wc -l > "$DZ_WORK/between"
mount -o loop "$DZ_WORK/box.img" "$B"; dz_idle 1
