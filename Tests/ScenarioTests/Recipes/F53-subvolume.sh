# A zone on btrfs contains a subvolume: it is the same mount, but renames across its boundary fail.
. "${0%/*}/prelude.sh"
D=$T/disk; dz_disk btrfs "$D"; Z=$D/zone B=$D/box R=$D/box.rejects; mkdir "$Z" "$B"
btrfs -q subvolume create "$Z/s" > /dev/null 2>&1 || btrfs subvolume create "$Z/s" > /dev/null || dz_skip 'no subvolume'
mkdir "$Z/s/d"
dz_conf "Zone.Path=$Z" box=B quiet=0.3 rescan=300; dz_start
say a 3000 > "$Z/a.txt"; say n 3000 > "$Z/s/n.txt"; say m 3000 > "$Z/s/d/m.txt"; dz_mark dropped
dz_receipts 3 20; dz_idle
