# The box is in the zone through a bind mount.
. "${0%/*}/prelude.sh"
mkdir "$Z/out" "$S/bound"; mount --bind "$Z/out" "$S/bound" || dz_skip 'no mount'
dz_conf "box=$S/bound"; dz_start || { printf '%s\n' "$DZ_EXIT" > "$DZ_WORK/refused"; : > "$DZ_WORK/dead"; exit; }
pdf loop 3000 > "$Z/loop.pdf"; dz_idle 1; sleep 4; dz_idle
