# There are two writers: one closes, the other continues.
. "${0%/*}/prelude.sh"
dz_start
( exec 3>"$Z/two.bin" 4>>"$Z/two.bin"; say a 1000 >&3; exec 3>&-; sleep 6; say b 1000 >&4 )
dz_idle
