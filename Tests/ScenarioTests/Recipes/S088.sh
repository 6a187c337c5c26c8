# A sparse file is bigger than the box, but its blocks are not.
. "${0%/*}/prelude.sh"
mount -t tmpfs -o size=8m tmpfs "$B" || dz_skip 'no mount'
dz_start
truncate -s 1G "$S/vm.img"; say h 4096 | dd of="$S/vm.img" conv=notrunc 2>/dev/null; cp --sparse=always "$S/vm.img" "$L/ref"; mv "$S/vm.img" "$Z/vm.img"
dz_idle 1; cmp "$B/vm.img" "$L/ref" && printf 'same\n' > "$DZ_WORK/compared"
