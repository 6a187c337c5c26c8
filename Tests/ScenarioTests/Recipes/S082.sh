# Files with the same name are refused one after another, and also one that is named like a reason file.
. "${0%/*}/prelude.sh"
dz_handler 'reject "no $DROP_BYTES"'; dz_start
for i in 1 2 3; do say "bad$i" $((i*1000)) > "$Z/bad.txt"; dz_idle "$i"; done
say r 50 > "$Z/bad.txt.reason.json"; dz_idle 4
say r 51 > "$Z/bad.txt.reason.json"; say bad5 5000 > "$Z/bad.txt"; dz_idle 6
