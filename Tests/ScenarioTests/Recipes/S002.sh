# A sheet-fed scanner closes the file after each page. GAP and the quiet time are variants.
. "${0%/*}/prelude.sh"
dz_start
for p in 1 2 3 4; do say "page$p" 30000 >> "$Z/doc.pdf"; sleep "${GAP:-1.5}"; done
dz_idle
