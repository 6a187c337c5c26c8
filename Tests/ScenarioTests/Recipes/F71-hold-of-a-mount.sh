# The daemon dies with a payload in a hold on a mount below the zone, or with a copy in the root of the box, and its
# ledger is lost.
. "${0%/*}/prelude.sh"
dz_conf quiet=0.3; TO=$Z
case $WHERE in
  mount) mkdir "$Z/m"; dz_disk ext4 "$Z/m"; TO=$Z/m;;
  copy) dz_conf Delivery.Operation=copy; dz_disk ext4 "$B";;
esac
dz_handler 'kill -KILL $PPID; sleep 2'; dz_start
say n 3000 > "$TO/n.txt"; dz_gone
[[ $WHERE == copy ]] && rm "$Z/n.txt"
rm -r "$DZ_STATE"; dz_handler accept; dz_start; dz_idle 1
find "$T" -path '*hold/*' > "$DZ_WORK/left"
