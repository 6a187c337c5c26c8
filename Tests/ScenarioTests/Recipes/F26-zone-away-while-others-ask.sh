# The zone is missing for a while, and a client requests the status all the time.
. "${0%/*}/prelude.sh"
dz_conf quiet=0.3; dz_start
mv "$Z" "$Z.away"; dz_see '"state":"unavailable"'
for i in 1 2 3; do ( while [[ ! -e $L/enough ]]; do dz_cli wait --timeout 100ms > /dev/null 2>&1; done ) & done
say n 3000 > "$Z.away/n.txt"; sleep 0.3; mv "$Z.away" "$Z"; dz_mark back
dz_receipts 1 15; touch "$L/enough"; dz_idle 1
