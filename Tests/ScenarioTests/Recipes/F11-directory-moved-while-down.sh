# The daemon dies before a claim, and the sender renames the directory before the next one starts.
. "${0%/*}/prelude.sh"
dz_conf quiet=0.3; dz_fault "rename:$T/box.hold/0*:KILL:1"; dz_start
mkdir "$Z/d"; say n 3000 > "$Z/d/n.txt"; dz_gone
mv "$Z/d" "$Z/e"; dz_fault; dz_start; dz_idle 1
