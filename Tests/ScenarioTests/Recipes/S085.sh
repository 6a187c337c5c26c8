# The box does not support modes, owners, times and attributes.
. "${0%/*}/prelude.sh"
dz_conf box=X; dz_fault "chmod:$X/*:1:-1;chown:$X/*:95:-1;times:$X/*:22:-1;xattr:$X/*:95:-1"; dz_start
pdf meta 5000 > "$Z/meta.pdf"; chmod 640 "$Z/meta.pdf"; chown 1234 "$Z/meta.pdf" 2>/dev/null; dz_idle 1
