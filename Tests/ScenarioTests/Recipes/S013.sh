# The sender truncates and rewrites the file while it waits.
. "${0%/*}/prelude.sh"
dz_start
pdf v1 20000 > "$Z/price.pdf"; sleep 1
( exec 3>"$Z/price.pdf"; sleep 4; pdf v2 30000 >&3 )
dz_idle
