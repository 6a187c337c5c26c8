# The first two opens fail because the file is busy.
. "${0%/*}/prelude.sh"
dz_fault 'open:*/busy.pdf:16:2'; dz_start
pdf busy 8000 > "$Z/busy.pdf"
dz_idle 1
