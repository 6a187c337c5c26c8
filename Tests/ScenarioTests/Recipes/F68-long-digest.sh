# Something takes minutes to be compared or hashed anew, and the daemon is told to stop.
. "${0%/*}/prelude.sh"
case $WHAT in
  identical) dz_conf Delivery.Collision=keep-identical Handler.OnDrop=; truncate -s 1T "$B/big.txt";;
  changed)
    dz_conf Handler.Changes=yes Delivery.Digest=yes
    dz_handler '[[ $DROP_NAME == big.txt ]] && truncate -s 1T "$1"; accept';;
esac
dz_conf quiet=0.3; dz_start
if [[ $WHAT == identical ]]; then truncate -s 1T "$Z/big.txt"; else say big 3000 > "$Z/big.txt"; fi
dz_see '"inHand":1' 20; sleep 1.5; dz_mark second; say n 3000 > "$Z/n.txt"; dz_receipts 1 20; dz_cli history --json > "$DZ_WORK/early"; dz_stop
rm -f "$B.hold"/0* "$B/big.txt"
