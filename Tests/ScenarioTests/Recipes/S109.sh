# The handler prints too much on both outputs.
. "${0%/*}/prelude.sh"
dz_handler 'yes error | head -c 20000000 >&2; yes out | head -c 20000000; accept'; dz_start
pdf e1 3000 > "$Z/e1.pdf"; pdf e2 3000 > "$Z/e2.pdf"; dz_mark dropped; dz_idle 2
