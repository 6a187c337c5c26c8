# There are links to directories in the zone, including loops.
. "${0%/*}/prelude.sh"
mkdir -p "$Z/p/q" "$S/elsewhere"; pdf e 3000 > "$S/elsewhere/e.pdf"
ln -s .. "$Z/p/q/up"; ln -s . "$Z/p/self"; ln -s "$S/elsewhere" "$Z/p/ext"
dz_start; ln -s ../.. "$Z/p/q/late"; pdf ok 3000 > "$Z/p/q/ok.pdf"
dz_idle
