# A second daemon is started on the same zone.
. "${0%/*}/prelude.sh"
dz_start; dz_start_second
for i in $(seq 50); do say "t$i" 2000 > "$Z/t$i.bin"; done
dz_idle 50
