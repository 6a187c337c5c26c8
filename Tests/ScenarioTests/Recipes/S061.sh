# The daemon is stopped while a handler runs.
. "${0%/*}/prelude.sh"
dz_handler 'sleep 20; accept'; dz_start
pdf stop 4000 > "$Z/stop.pdf"; dz_see '"inHand":1' 10; sleep 1; dz_stop
dz_list stopped "$Z"; find "$B.hold" "$Z.hold" "$Z/.dropzone-hold" -type f -print0 2>/dev/null > "$DZ_WORK/held.stopped"
dz_list box "$B"
dz_handler 'accept'; dz_start; dz_idle 1
