# The zone's directory is renamed away, and another one is put in its place.
. "${0%/*}/prelude.sh"
dz_start
mv "$Z" "$Z.old"; mkdir "$Z"
pdf new 4000 > "$Z/new.pdf"; pdf stray 4000 > "$Z.old/stray.pdf"
dz_idle 1; sleep 3; dz_idle
dz_list old "$Z.old"
