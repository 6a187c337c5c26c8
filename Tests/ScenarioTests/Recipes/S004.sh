# A file stays empty forever; later, a file with the same name has content.
. "${0%/*}/prelude.sh"
dz_conf grace=6; dz_start
: > "$Z/never.pdf"; dz_receipts 1 20
pdf late 9000 > "$Z/never.pdf"
dz_idle 2
