# The servers of five zones' file systems die before the daemon starts, or later (WHEN), and come back.
. "${0%/*}/prelude.sh"
. "$RECIPES/places.sh"
dz_make_places
die() {
  dz_signal_servers KILL
  for name in "${PLACES[@]}"; do wait "${SERVER[$name]}" 2> /dev/null; done
}
if [[ $WHEN == start ]]; then
  die
  dz_start
else
  dz_start
  for name in "${PLACES[@]}"; do dz_drop "$name" "early-$name"; done
  for name in "${PLACES[@]}"; do dz_arrived "$name" "early-$name"; done
  die
fi
dz_other_delivers while-dead
dz_drop box late-box; dz_drop rejects bad-late
for name in root below hold; do
  dz_zone_says "$name" '"state": *"unavailable"'
  dz_zone_says "$name" "\"reason\": *\"'$P/$name/[^']*': Transport endpoint is not connected\""
done
for name in box rejects; do
  dz_zone_says "$name" '"state": *"\(blocked\|unavailable\)"'
  dz_zone_says "$name" "\"reason\": *\"'$P/$name/[^']*': Transport endpoint is not connected"
done
dz_other_delivers while-unavailable
for name in "${PLACES[@]}"; do umount -l "${MOUNT[$name]}"; dz_mount "$name"; done
for name in "${PLACES[@]}"; do dz_zone_says "$name" '"state": *"\(idle\|targeted\)"'; dz_drop "$name" "after-$name"; done
for name in "${PLACES[@]}"; do dz_arrived "$name" "after-$name"; done
dz_arrived box late-box; dz_arrived rejects bad-late
dz_idle
dz_stop_soon
: > "$DZ_WORK/dead"
