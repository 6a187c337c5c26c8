# Changes continue inside a tree that was moved in.
. "${0%/*}/prelude.sh"
mkdir -p "$S/u/v"; dz_start
mv "$S/u" "$Z/u"; sleep 4
pdf late 4000 > "$Z/u/v/late.pdf"; mkdir "$Z/u/v/w"; pdf later 4000 > "$Z/u/v/w/later.pdf"; dz_mark dropped
dz_idle
