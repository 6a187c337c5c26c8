# Several events are queued for one file, and the first one would move it.
. "${0%/*}/prelude.sh"
dz_start; dz_pause
for i in 1 2 3; do say cam 20000 >> "$Z/cam.mp4"; done
dz_cont; dz_idle 1
