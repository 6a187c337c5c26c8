# Names are not valid UTF-8, and two of them would be equal if they were repaired.
. "${0%/*}/prelude.sh"
dz_start
n=$(printf 'caf\351-\377.pdf'); pdf bytes 4000 > "$Z/$n"; m=$(printf 'caf\350-\377.pdf'); pdf bytez 4100 > "$Z/$m"; pdf ok 3000 > "$Z/ok.pdf"; dz_idle 3
