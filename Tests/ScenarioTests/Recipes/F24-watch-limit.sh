# There is no room for most watches, or for any; later there is.
. "${0%/*}/prelude.sh"
: "${LIMIT:=max_inotify_watches}" "${LOW:=20}"
DZ_COMMAND=(unshare -Ur bash -c 'echo "$2" > "/proc/sys/user/$1" && exec "${@:3}"' low "$LIMIT" "$LOW")
"${DZ_COMMAND[@]}" true 2> /dev/null || dz_skip 'no user namespace with separate limits'
dz_conf quiet=0.3 rescan=6
for i in $(seq 40); do mkdir "$Z/d$i"; done
dz_start; say w 4000 > "$Z/d39/w.txt"; say w 4000 > "$Z/d1/w.txt"; dz_idle 2
dz_cli status --json > "$DZ_WORK/meanwhile"
nsenter -U -t "$DZ_PID" --preserve-credentials bash -c "echo 10000 > /proc/sys/user/$LIMIT" || dz_note 'the limit could not be changed'
dz_see '"watches":41' 30
dz_cli status --json > "$DZ_WORK/later"
say x 4000 > "$Z/d38/x.txt"; dz_mark dropped; dz_idle 3
