# The directory does not let the daemon remove the payload. The daemon has no special rights.
. "${0%/*}/prelude.sh"
dz_conf box=X; mkdir "$Z/ro"; pdf ro 5000 > "$Z/ro/ro.pdf"; chmod 555 "$Z/ro"
dz_start; dz_see '"waiting":"cannot-take"' 20; dz_idle; dz_stop; dz_start; dz_see '"waiting":"cannot-take"' 20; dz_idle
