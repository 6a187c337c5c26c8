# Files are copied without a digest. While the copies are in hand, permissions or content change; both change again
# later.
. "${0%/*}/prelude.sh"
dz_handler 'touch "$L/judging"; sleep 2; accept'
dz_conf quiet=0.3 rescan=1 Delivery.Operation=copy Delivery.Digest=no Handler.Workers=4; dz_start
rewrite() { touch -r "$1" "$L/when"; "${@:2}" | dd of="$1" conv=notrunc status=none; touch -r "$L/when" "$1"; }
say n 3000 > "$Z/n.txt"; say m 3000 > "$Z/m.txt"; until [[ -e $L/judging ]]; do sleep 0.05; done
chmod 600 "$Z/n.txt"; dz_idle 2
dz_mark settled
chmod 640 "$Z/n.txt"; chmod 640 "$Z/m.txt"; sleep 2; dz_idle 2; dz_cli history --json | grep -c . > "$DZ_WORK/lines"
dz_stop; chmod 600 "$Z/n.txt"; dz_start; sleep 1; dz_idle 2; dz_cli history --json | grep -c . >> "$DZ_WORK/lines"
rewrite "$Z/m.txt" say other 3000; dz_idle 3
