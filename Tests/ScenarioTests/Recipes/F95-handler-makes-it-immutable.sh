# The handler makes one payload immutable. The others continue, and so does this one when it can be changed again.
. "${0%/*}/prelude.sh"
dz_conf quiet=0.3; dz_handler 'case $DROP_NAME in n*) chattr +i "$1"; reject no good;; esac; accept'; dz_start
say n 3000 > "$Z/n.txt"; dz_see '"inHand":1' 20; sleep 1
say m 3000 > "$Z/m.txt"; say n 300 > "$Z/n2.txt"; dz_receipts 1 20; dz_cli explain "$Z/n.txt" > "$DZ_WORK/explained" 2>&1
chattr -i "$B.hold"/*; dz_idle 3
