# The copy into the box fails three times halfway, and then a sync fails once.
. "${0%/*}/prelude.sh"
dz_conf box=X; dz_fault "write,clone:$X/*:5:3:65536;fsync:$X/*:5:1"; dz_start
say io 500000 > "$Z/io.bin"; dz_idle 1
