# A copy keeps an old modification time, also while it is still being written.
. "${0%/*}/prelude.sh"
dz_start
( exec 3>"$Z/old.mov"; say a 50000 >&3; touch -d 2001-01-01 "$Z/old.mov"; sleep 5; say b 50000 >&3 )
touch -d 2001-01-01 "$Z/old.mov"
dz_idle
