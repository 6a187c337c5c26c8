# A tree arrives in which twenty names occur twice, and the box has one level.
. "${0%/*}/prelude.sh"
dz_conf quiet=0.3 Delivery.Flatten=yes Delivery.Collision=reject; dz_start
mkdir -p "$S/t/a" "$S/t/b"
for i in {1..20}; do say "one$i" 3000 > "$S/t/a/x$i.txt"; say "two$i" 2000 > "$S/t/b/x$i.txt"; done
mv "$S/t" "$Z/"; dz_idle 40
