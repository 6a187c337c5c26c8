# The queue overflows and only one half of a rename is seen.
. "${0%/*}/prelude.sh"
dz_conf stalled=10; dz_start_with_queue 16; pdf k 5000 > "$Z/.k.pdf.Ab12Cd"; dz_see 'k.pdf.Ab12Cd' 5; dz_pause
for i in $(seq 20); do touch "$Z/.pad$i"; done
mv "$Z/.k.pdf.Ab12Cd" "$Z/k.pdf"; dz_cont
dz_idle 1
