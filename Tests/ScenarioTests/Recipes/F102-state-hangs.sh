# The file system of the state directory stops answering: while the daemon is idle, while it is busy, or before it starts
# (WHEN).
. "${0%/*}/prelude.sh"
. "$RECIPES/places.sh"
PLACES=(state) MOUNT=([state]=$DZ_STATE)
dz_make_places
rm "$DZ_CONFIG/zones/state.zone"
if [[ $WHEN == start ]]; then
  dz_stop_servers
  "$DZ_BIN/dropzoned" --config "$DZ_CONFIG" --state "$DZ_STATE" --socket "$DZ_SOCKET" > "$DZ_WORK/said" 2>&1 &
  DZ_PID=$! DZ_STARTED=1
  # It has opened its zone files, and waits for the state directory.
  until grep -q 'fuse\|request_wait_answer' "/proc/$DZ_PID/task/"*/wchan 2> /dev/null; do dz_alive || break; sleep 0.05; done
  dz_stop_soon
else
  dz_start
  dz_other_delivers early
  if [[ $WHEN == busy ]]; then
    for number in {1..100}; do dz_drop other "busy-$number"; done
    dz_arrived other busy-1
  fi
  dz_stop_servers
  dz_drop other late
  dz_zone_says z '"state": *"unavailable"'
  dz_zone_says z "\"reason\": *\"'$DZ_STATE' has not answered for 10 s\""
  dz_signal_servers CONT
  dz_arrived other late
  [[ $WHEN == busy ]] && for number in {1..100}; do dz_arrived other "busy-$number"; done
  dz_idle
  dz_stop_servers
  dz_drop other last
  dz_zone z > /dev/null
  dz_stop_soon
fi
dz_signal_servers CONT
dz_start
[[ $WHEN == start ]] || dz_arrived other last
dz_other_delivers again
dz_idle
