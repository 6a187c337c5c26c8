# There are other users' files in the box, with names that look like leftovers.
. "${0%/*}/prelude.sh"
dz_conf box=X; say part 1000 > "$X/.dz-left.bin.tmp"; say other 700 > "$X/left.bin"
dz_start; say whole 90000 > "$Z/left.bin"; dz_idle 1
