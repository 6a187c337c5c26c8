# The handler overwrites a payload that it refuses; then it accepts the payload when it is retried.
. "${0%/*}/prelude.sh"
dz_conf quiet=0.3; dz_handler 'echo > "$1"; reject no good'; dz_start
say n 3000 > "$Z/n.txt"; dz_idle 1
dz_cli history --json > "$DZ_WORK/refused"; sha256sum "$R/n.txt" > "$DZ_WORK/lies"
dz_handler accept
dz_cli retry "$(sed 's/.*"id":"\([^"]*\)".*/\1/' "$DZ_WORK/refused")"
dz_idle 2
