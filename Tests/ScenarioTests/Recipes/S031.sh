# Windows folder metadata is touched again and again.
. "${0%/*}/prelude.sh"
dz_start
for n in Thumbs.db THUMBS.DB desktop.ini Desktop.ini 'invoice.pdf:Zone.Identifier'; do say w 300 > "$Z/$n"; done
pdf inv 5000 > "$Z/invoice.pdf"; dz_mark dropped
for i in 1 2 3 4 5 6; do touch "$Z/Thumbs.db"; sleep 1; done
dz_idle
