# The box is in the zone, directly and through a link.
. "${0%/*}/prelude.sh"
mkdir "$Z/out"; ln -s "$Z" "$S/alias"
dz_conf "box=$Z/out"; dz_start; printf '%s\n' "${DZ_EXIT:-started}" >> "$DZ_WORK/refused"; dz_stop
dz_conf "box=$S/alias/out"; DZ_EXIT=''; dz_start; printf '%s\n' "${DZ_EXIT:-started}" >> "$DZ_WORK/refused"; dz_stop
rmdir "$Z/out"; dz_conf box=B; dz_start
pdf loop 3000 > "$Z/loop.pdf"; dz_idle 1
