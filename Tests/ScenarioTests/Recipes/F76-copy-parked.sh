# The daemon dies with a copy in hand, before its handler has answered or before it is renamed, and the next one starts
# while the box is not mounted.
. "${0%/*}/prelude.sh"
dz_disk ext4 "$B"; dz_conf quiet=0.3 Delivery.Operation=copy
case $WHEN in
  asked) dz_handler '[[ -e $L/go ]] && accept; kill -KILL $PPID; sleep 2';;
  placed) dz_fault "rename:$B/n.txt:KILL:1";;
esac
dz_start; say n 3000 > "$Z/n.txt"; dz_gone; touch "$L/go"
umount "$B"; dz_fault; dz_start; sleep 1.5; dz_see '"staged":\[\]' 1
mount -o loop "$DZ_WORK/box.img" "$B"; dz_idle 1; sleep 2; dz_idle
