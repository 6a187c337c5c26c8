# The files in a directory of the zone cannot be renamed into the hold.
. "${0%/*}/prelude.sh"
dz_conf quiet=0.3; mkdir "$Z/s"; dz_fault "take:$Z/s/*:18:-1"; dz_start
say n 3000 > "$Z/s/n.txt"; say m 3000 > "$Z/m.txt"; dz_see '"waiting":"cannot-take"' 15; dz_idle 1
