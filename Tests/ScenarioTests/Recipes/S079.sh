# The box is read-only for a while.
. "${0%/*}/prelude.sh"
mount -t tmpfs tmpfs "$B" && mount -o remount,ro "$B" || dz_skip 'no mount'
dz_start
pdf ro 4000 > "$Z/ro.pdf"; dz_see '"state":"blocked"' 10; sleep 3; dz_list before "$B"; mount -o remount,rw "$B"; dz_idle 1
