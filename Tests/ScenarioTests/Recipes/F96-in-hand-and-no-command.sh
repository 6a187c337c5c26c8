# A client makes requests with the id of a payload in hand, whose handler's command is missing.
. "${0%/*}/prelude.sh"
dz_conf quiet=0.3; dz_start; mv "$DZ_WORK/handler" "$DZ_WORK/handler.away"
say n 3000 > "$Z/n.txt"; dz_see 'couldnotberun' 20
ID=$(basename "$B.hold"/* .txt)
for verb in retry release undo; do dz_cli "$verb" "$ID"; done > "$DZ_WORK/asked" 2>&1
dz_cli status --json > "$DZ_WORK/shown"
mv "$DZ_WORK/handler.away" "$DZ_WORK/handler"; dz_idle 1
