# A directory is no longer a mount point, and a reload confirms this.
. "${0%/*}/prelude.sh"
case $PLACE in zone) P=$Z;; box) P=$B;; esac
dz_disk ext4 "$P"; dz_conf quiet=0.3; dz_start
umount "$P"; say n 3000 > "$Z/n.txt"; sleep 2; ls "$Z" > "$DZ_WORK/between"
dz_cli reload; dz_idle 1
