# Files are replaced by links around the time when they are taken.
. "${0%/*}/prelude.sh"
say secret 500 > "$L/secret"; dz_start
for i in $(seq 30); do say "r$i" 800 > "$Z/s$i.txt"; ( sleep "2.$((i % 10))"; ln -s "$L/secret" "$S/l$i"; mv -T "$S/l$i" "$Z/s$i.txt" ) & waits+=($!); done; wait "${waits[@]}"; dz_idle
