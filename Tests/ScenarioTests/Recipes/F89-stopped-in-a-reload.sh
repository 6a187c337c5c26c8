# The daemon is stopped while it applies changes of many zones, which were requested by HOW.
. "${0%/*}/prelude.sh"
zones() {
  local zone
  for zone in {1..120}; do
    mkdir -p "$T/z$zone"
    printf '[Zone]\nPath=%s\nBox=%s\nTitle=T%s\n[Handler]\nOnDrop=%s\n' "$T/z$zone" "$T/boxes/z$zone" "$1" \
      "$DZ_WORK/handler" > "$DZ_CONFIG/zones/z$zone.zone"
  done
}
zones 0
for round in {1..6}; do
  dz_start || break
  zones "$round"
  case $HOW in
    signal) kill -HUP "$DZ_PID";;
    client) timeout 20 "$DZ_BIN/dropzone" --socket "$DZ_SOCKET" reload > /dev/null 2>&1 &;;
  esac
  sleep 0.$((RANDOM % 5))$round
  kill -TERM "$DZ_PID"
  dz_gone 10 || { dz_note "daemon $round is still running 10 s after SIGTERM"; kill -KILL "$DZ_PID"; dz_gone 5; }
done
rm "$DZ_CONFIG"/zones/z[0-9]*.zone
dz_start; say n 3000 > "$Z/n.txt"; dz_idle 1
CONF[Zone.Title]=anew; dz_write_zone
case $HOW in signal) kill -HUP "$DZ_PID";; client) dz_cli reload;; esac
dz_see '"title":"anew"' 10
