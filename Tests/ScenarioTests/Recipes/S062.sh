# A payload crashes the daemon each time it is judged.
. "${0%/*}/prelude.sh"
pdf bad 3000 > "$Z/2018-99-99 - x - aaa.pdf"; pdf good 3000 > "$Z/good.pdf"
dz_crash_on '2018-99-99*'
for i in 1 2 3 4 5; do dz_start || continue; dz_receipts 2 15 2>/dev/null && break; dz_gone 1; done
: > "$DZ_WORK/notes"
dz_idle 2
