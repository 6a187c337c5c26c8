# Shared by the recipes about file systems that stop answering. Each of five zones depends on a FUSE file system of its
# own: zone 'root' is one, 'below' has one below it, and the box of 'box', the rejects of 'rejects', and the directory
# with zone and hold of 'hold' are one. Zone 'other' depends on none of them.
PLACES=(root below box rejects hold)
P=$T/places
declare -A MOUNT=([root]=$P/root/zone [below]=$P/below/zone/sub [box]=$P/box/box [rejects]=$P/rejects/rejects
  [hold]=$P/hold/top) SERVER=() DROP=()

# Mounts the file system that a zone depends on.
dz_mount() {
  local place=${MOUNT[$1]}
  mkdir -p "$P/$1/real" "$place"
  bindfs -f "$P/$1/real" "$place" 2>> "$DZ_WORK/bindfs.log" & SERVER[$1]=$!
  until mountpoint -q "$place"; do
    kill -0 "${SERVER[$1]}" 2>/dev/null || dz_skip "bindfs cannot mount: $(tail -n 1 "$DZ_WORK/bindfs.log")"
    sleep 0.02
  done
}

# Stops the servers while they wait for requests: the kernel does not let a process end that waits for the answer to one
# that its server has begun with.
dz_stop_servers() {
  local name
  for name in "${PLACES[@]}"; do
    until kill -STOP "${SERVER[$name]}"; dz_waits_for_requests "${SERVER[$name]}"; do kill -CONT "${SERVER[$name]}"; done
  done
}

# Whether all threads of a stopped server are in read, splice or futex.
dz_waits_for_requests() {
  local task call rest
  for task in /proc/"$1"/task/*; do
    until grep -q '^State:.*stopped' "$task/status"; do sleep 0.01; done
    read -r call rest < "$task/syscall"
    [[ $call == 0 || $call == 275 || $call == 202 ]] || return 1
  done
}

dz_signal_servers() {
  local name
  for name in "${PLACES[@]}"; do kill "-$1" "${SERVER[$name]}"; done
}

# Makes the zones, mounts their file systems, and lets all end with the recipe.
dz_make_places() {
  local name
  [[ -c /dev/fuse ]] || dz_skip 'there is no /dev/fuse'
  command -v bindfs > /dev/null || dz_skip 'bindfs is not installed'
  trap dz_finish_places EXIT
  dz_handler 'case $DROP_NAME in bad*) reject bad;; esac; accept'
  CONF[Zone.Path]=$P/other/zone CONF[Zone.Box]=$P/other/box
  for name in other "${PLACES[@]}"; do
    mkdir -p "$P/$name/zone" "$P/$name/box"
    DROP[$name]=$P/$name/zone
    [[ -n ${MOUNT[$name]:-} ]] && dz_mount "$name"
  done
  mkdir -p "$P/hold/top/zone"
  DROP[hold]=$P/hold/top/zone DROP[below]=$P/below/zone/sub
  for name in "${PLACES[@]}"; do
    cat > "$DZ_CONFIG/zones/$name.zone" << END
[Zone]
Path=$([[ $name == below ]] && printf %s "$P/below/zone" || printf %s "${DROP[$name]}")
Box=$P/$name/box
$([[ $name == rejects ]] && printf 'Rejects=%s\n' "${MOUNT[rejects]}")
$([[ $name == box || $name == rejects ]] && printf 'RequireMount=%s\n' "$name")
$([[ $name == hold ]] && printf 'Hold=%s\n' "$P/hold/top/hold")
[Staging]
Quiet=300ms
Rescan=30s
[Handler]
OnDrop=$DZ_WORK/handler
END
  done
  dz_conf quiet=0.3
}

dz_finish_places() {
  local name
  dz_signal_servers CONT 2>/dev/null
  dz_finish
  for name in "${PLACES[@]}"; do umount -l "${MOUNT[$name]}"; kill -KILL "${SERVER[$name]}"; done 2>/dev/null
}

# Drops a file on a zone. A zone whose own file system is stopped cannot get any.
dz_drop() { say "$2" 3000 > "${DROP[$1]}/$2"; }

# Waits until a file has arrived in the box or the rejects of a zone.
dz_arrived() {
  local place=$P/$1/box end=$(($(dz_now) + ${3:-30} * 1000))
  [[ $2 == bad* ]] && { place=$P/$1/box.rejects; [[ $1 == rejects ]] && place=${MOUNT[rejects]}; }
  until [[ -n $(find "$place" -name "$2" -print -quit 2> /dev/null) ]]; do
    (($(dz_now) < end)) || { dz_note "'$2' has not arrived from zone '$1' after ${3:-30} s"; return 1; }
    sleep 0.05
  done
}

# The status of one zone, without spaces. The daemon must answer at once, whatever hangs.
dz_zone() {
  timeout 5 env LD_PRELOAD= "$DZ_BIN/dropzone" --socket "$DZ_SOCKET" status --json "$1" 2>> "$DZ_WORK/client.log" |
    tr -d '\n' || dz_note "no status of '$1' within 5 s"
}

# Waits until the status of a zone contains a pattern, up to $3 seconds (40).
dz_zone_says() {
  local end=$(($(dz_now) + ${3:-40} * 1000))
  until dz_zone "$1" | grep -q -- "$2"; do
    (($(dz_now) < end)) || { dz_note "no '$2' after ${3:-40} s in $(dz_zone "$1")"; return 1; }
    sleep 0.1
  done
}

# Expects that another zone delivers, and that it does so soon.
dz_other_delivers() {
  dz_drop other "$1"; dz_arrived other "$1" 10
}

# Ends the daemon, which must not take longer than 10 s.
dz_stop_soon() {
  local begin; begin=$(dz_now)
  dz_stop
  (($(dz_now) - begin < 10000)) || dz_note "the daemon took $(($(dz_now) - begin)) ms to end"
}
