# The daemon dies while a handler has a payload. The next one does not know the zone; the one after that does.
. "${0%/*}/prelude.sh"
dz_conf quiet=0.3; dz_handler 'kill -KILL $PPID; sleep 2'; dz_start
say n 3000 > "$Z/n.txt"; dz_gone
eval "$(declare -f dz_write_zone | sed '1s/dz_write_zone/write_z/')"
dz_write_zone() {
  rm -f "$DZ_CONFIG/zones/z.zone"; mkdir -p "$T/other"
  printf '[Zone]\nPath=%s\nBox=%s\n' "$T/other" "$T/other.box" > "$DZ_CONFIG/zones/o.zone"
}
dz_start; for _ in {1..100}; do [[ -n $(ls "$B" "$R" 2> /dev/null) || -e $Z/n.txt ]] && break; sleep 0.05; done
sleep 0.5; ls "$B" "$Z" "$R" > "$DZ_WORK/between" 2> /dev/null; dz_stop
rm "$DZ_CONFIG/zones/o.zone"; dz_write_zone() { write_z; }
dz_handler accept; dz_start; dz_idle 1
