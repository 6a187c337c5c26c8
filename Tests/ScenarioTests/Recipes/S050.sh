# The watch limit is reached in the middle of a big tree.
. "${0%/*}/prelude.sh"
DZ_COMMAND=(unshare -Ur bash -c 'echo 64 > /proc/sys/user/max_inotify_watches && exec "$@"' low)
for i in $(seq 200); do mkdir "$Z/d$i"; done
"${DZ_COMMAND[@]}" true 2>/dev/null || dz_skip 'no user namespace with a separate watch limit'
dz_start; pdf w 4000 > "$Z/d199/w.pdf"; dz_mark dropped; dz_idle 1
