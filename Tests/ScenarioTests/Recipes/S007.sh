# A writer pauses for longer than the quiet time and keeps the file open.
. "${0%/*}/prelude.sh"
dz_start
( exec 3>"$Z/slow.mov"; for i in 1 2 3; do say "$i" 100000 >&3; sleep 7; done )
dz_idle
