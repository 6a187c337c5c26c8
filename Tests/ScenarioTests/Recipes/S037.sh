# A whole tree arrives by one rename.
. "${0%/*}/prelude.sh"
mkdir -p "$S/t/x/y"; pdf a 4000 > "$S/t/a.pdf"; pdf b 4000 > "$S/t/x/y/b.pdf"
dz_start
mv "$S/t" "$Z/t"; dz_mark dropped
dz_idle
