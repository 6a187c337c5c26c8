# A file that is renamed into the zone cannot be inspected for a moment.
. "${0%/*}/prelude.sh"
dz_conf quiet=0.3 rescan=300; dz_fault "look:$Z/n.txt:5:3"; dz_start
say n 3000 > "$S/n.txt"; dz_mark dropped; mv "$S/n.txt" "$Z/"
dz_receipts 1 15; dz_idle
