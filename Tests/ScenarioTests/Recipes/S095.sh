# There are named pipes in the zone.
. "${0%/*}/prelude.sh"
dz_start
mkfifo "$Z/notes.md"; mkfifo "$Z/x.pdf"; pdf ok 3000 > "$Z/ok.pdf"; dz_mark dropped; dz_idle 1
