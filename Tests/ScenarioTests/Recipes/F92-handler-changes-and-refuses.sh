# The handler overwrites what it refuses; then it accepts what is tried again.
. "${0%/*}/prelude.sh"
dz_conf quiet=0.3; dz_handler 'echo > "$1"; reject no good'; dz_start
say n 3000 > "$Z/n.txt"; dz_idle 1
dz_cli history --json > "$DZ_WORK/refused"; sha256sum "$R/n.txt" > "$DZ_WORK/lies"
dz_handler accept
dz_cli retry "$(sed 's/.*"id":"\([^"]*\)".*/\1/' "$DZ_WORK/refused")"
dz_idle 2
