# A reader looks at the box all the time while a long file is being copied.
. "${0%/*}/prelude.sh"
dz_conf box=X; dz_start
( for i in $(seq 600); do stat -c %s "$X/film.mkv" 2>/dev/null || :; sleep 0.02; done | sort -u > "$L/sizes" ) & reader=$!
say film 40000000 > "$Z/film.mkv"; dz_idle 1; wait "$reader"
