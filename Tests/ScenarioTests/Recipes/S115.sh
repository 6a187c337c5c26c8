# Every payload is passed to the handler, exactly once.
. "${0%/*}/prelude.sh"
dz_start
for i in $(seq 100); do say "$i" $((i*10)) > "$Z/n$i.txt"; done; dz_idle 100
