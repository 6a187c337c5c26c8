# A sync of the box's directory fails in a way that says nothing about what is on disk.
. "${0%/*}/prelude.sh"
dz_conf quiet=0.3; BOX=${CONF[Zone.Box]}
# A repeated copy causes only one warning.
dz_fault "fsync:$BOX:$ERROR:1;times:$BOX/.dropzone-*:1:-1"; dz_start
say n 3000 > "$Z/n.txt"; dz_idle 1
