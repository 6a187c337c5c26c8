# An interrupted upload leaves its partial file and is resumed later.
. "${0%/*}/prelude.sh"
dz_conf stalled=10; dz_start
say h 60000 > "$Z/film.mp4.filepart"; dz_see '"waiting":"stalled"' 20; dz_idle
say i 60000 >> "$Z/film.mp4.filepart"; sleep 0.5; mv "$Z/film.mp4.filepart" "$Z/film.mp4"
dz_idle 1
