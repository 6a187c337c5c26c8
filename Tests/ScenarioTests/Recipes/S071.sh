# Files are replaced by rename around the time when they are taken.
. "${0%/*}/prelude.sh"
dz_start
for i in $(seq 20); do pdf good 3000 > "$Z/r$i.pdf"; ( sleep "2.$((i % 10))"; printf 'MZ%s' "evil$i" > "$S/e$i"; mv "$S/e$i" "$Z/r$i.pdf" ) & waits+=($!); done; wait "${waits[@]}"
dz_idle 20
