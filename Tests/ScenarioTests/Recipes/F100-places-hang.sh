# The file systems of five zones stop answering and resume: while the zones are idle, while they are busy, or before the
# daemon starts (WHEN). They stop again before the daemon ends.
. "${0%/*}/prelude.sh"
. "$RECIPES/places.sh"
dz_make_places
expected() {
  for name in "${PLACES[@]}"; do
    dz_zone_says "$name" "\"state\": *\"unavailable\""
    dz_zone_says "$name" "\"reason\": *\"'$P/$name/[^']*' has not answered for 10 s\""
  done
}
if [[ $WHEN == start ]]; then
  for name in "${PLACES[@]}"; do dz_drop "$name" "early-$name"; dz_drop "$name" "bad-$name"; done
  dz_stop_servers
  dz_start
else
  dz_start
  for name in "${PLACES[@]}"; do dz_drop "$name" "early-$name"; done
  for name in "${PLACES[@]}"; do dz_arrived "$name" "early-$name"; done
  if [[ $WHEN == busy ]]; then
    for number in {1..100}; do
      for name in "${PLACES[@]}"; do dz_drop "$name" "busy-$number"; dz_drop "$name" "bad-$number"; done
    done
    for name in "${PLACES[@]}"; do dz_arrived "$name" busy-1; done
  fi
  dz_stop_servers
fi
dz_other_delivers while-hanging
[[ $WHEN == idle ]] && { dz_drop box late-box; dz_drop rejects bad-late; }
expected
dz_other_delivers while-unavailable
# A reload adds a zone although others hang.
mkdir -p "$P/new/zone"; DROP[new]=$P/new/zone
printf '[Zone]\nPath=%s\nBox=%s\n[Staging]\nQuiet=300ms\n' "$P/new/zone" "$P/new/box" > "$DZ_CONFIG/zones/new.zone"
timeout 30 env LD_PRELOAD= "$DZ_BIN/dropzone" --socket "$DZ_SOCKET" reload 2>> "$DZ_WORK/notes" || dz_note 'no reload'
dz_drop new added; dz_arrived new added
dz_signal_servers CONT
for name in "${PLACES[@]}"; do
  dz_zone_says "$name" '"state": *"\(idle\|targeted\)"'
  dz_drop "$name" "after-$name"
done
for name in "${PLACES[@]}"; do
  dz_arrived "$name" "after-$name"
  [[ $WHEN == busy ]] && for number in {1..100}; do
    dz_arrived "$name" "busy-$number"; dz_arrived "$name" "bad-$number"
  done
  [[ $WHEN == start ]] && { dz_arrived "$name" "early-$name"; dz_arrived "$name" "bad-$name"; }
done
[[ $WHEN == idle ]] && { dz_arrived box late-box; dz_arrived rejects bad-late; }
dz_idle
# At the end.
for name in "${PLACES[@]}"; do dz_drop "$name" "last-$name"; done
[[ $WHEN == busy ]] || for name in "${PLACES[@]}"; do dz_arrived "$name" "last-$name"; done
dz_stop_servers
[[ $WHEN == idle ]] && { dz_drop box bad-box; expected; }
dz_stop_soon
dz_signal_servers CONT
dz_start
for name in "${PLACES[@]}"; do dz_arrived "$name" "last-$name"; done
[[ $WHEN == idle ]] && dz_arrived box bad-box
dz_idle
