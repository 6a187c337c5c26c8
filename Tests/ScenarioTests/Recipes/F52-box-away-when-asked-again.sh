# A handler answers "not yet" once, and the box is moved away before it is asked again.
. "${0%/*}/prelude.sh"
dz_conf quiet=0.3 rescan=300; dz_handler '[[ $DROP_ATTEMPT == 1 ]] && notyet; accept'; dz_start
say n 3000 > "$Z/n.txt"; dz_see '"waiting":"not-yet"' 10; mv "$B" "$T/away"
dz_see '"waiting":"blocked"' 15; sleep 0.2; dz_cli status --json > "$DZ_WORK/meanwhile"
mv "$T/away" "$B"; dz_receipts 1 60; dz_idle
