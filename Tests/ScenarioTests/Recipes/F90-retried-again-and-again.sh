# Payloads that are refused again are retried at once, by one client and by three clients together.
. "${0%/*}/prelude.sh"
dz_conf quiet=0.3 Accept.MaxSize=5; dz_start
say n 3000 > "$Z/n.txt"; dz_idle 1
ID=$(dz_cli history --json | sed 's/.*"id":"\([^"]*\)".*/\1/')
for _ in {1..60}; do dz_cli retry "$ID"; done > "$DZ_WORK/retries" 2>&1
dz_idle
for _ in {1..15}; do
  clients=()
  for _ in 1 2 3; do dz_cli retry "$ID" & clients+=($!); done
  wait "${clients[@]}"
done >> "$DZ_WORK/retries" 2>&1
dz_idle; dz_stop; dz_start; dz_idle
