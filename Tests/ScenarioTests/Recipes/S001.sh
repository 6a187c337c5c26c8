# A scanner creates the file when the job starts, and fills it much later.
. "${0%/*}/prelude.sh"
dz_start
: > "$Z/scan.pdf"; sleep 6
pdf one 50000 >> "$Z/scan.pdf"
dz_idle
