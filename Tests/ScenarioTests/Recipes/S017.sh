# The modification time is in the future.
. "${0%/*}/prelude.sh"
dz_start
pdf fut 4000 > "$Z/fut.pdf"; touch -d '1 year' "$Z/fut.pdf"
dz_mark dropped; dz_idle
