# A file system is mounted over a watched directory.
. "${0%/*}/prelude.sh"
mkdir "$Z/usb"; dz_start
mount -t tmpfs tmpfs "$Z/usb" || dz_skip 'no mount'
pdf u 4000 > "$Z/usb/u.pdf"
dz_idle 1
