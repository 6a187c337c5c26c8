# Used by every recipe: directories, payloads, and functions that drive a real daemon.
#
# A recipe begins with `. "${0%/*}/prelude.sh"`, and can also be run by hand:
#   DZ_BIN=.build/debug bash Tests/ScenarioTests/Recipes/S001.sh
# It leaves its results in $DZ_WORK: status.json, history.jsonl, changes.N.jsonl (the output of `status --watch` for
# daemon N), tree.NAME and sums.NAME for each directory, runs (one record per handler run), exits (one line per daemon),
# notes (problems in the rig itself), and daemon.log.
set -u
RECIPES=$(cd "${BASH_SOURCE[0]%/*}" && pwd)
. "$RECIPES/payloads.sh"
PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin
: "${DZ_BIN:=$RECIPES/../../../.build/debug}"
DZ_BIN=$(cd "$DZ_BIN" && pwd)
: "${DZ_WORK:=$(mktemp -d /tmp/dz.XXXXXX)}" "${XDEV:=/dev/shm}"

T=$DZ_WORK/t; Z=$T/zone B=$T/box R=$T/box.rejects S=$T/src L=$T/log; mkdir -p "$Z" "$B" "$S" "$L"
X=$(mktemp -d -p "$XDEV" dz.XXXXXX)/box; mkdir "$X"; printf '%s\n' "${X%/box}" >> "$DZ_WORK/elsewhere"
RUNS=$L/runs

DZ_CONFIG=$DZ_WORK/config DZ_STATE=$DZ_WORK/state DZ_SOCKET=$DZ_WORK/sock
mkdir -p "$DZ_CONFIG/zones"
: > "$DZ_WORK/notes"; : > "$DZ_WORK/runs"; : > "$DZ_WORK/exits"; : > "$DZ_WORK/daemon.log"
DZ_PID='' DZ_STARTED=0 DZ_WATCH='' DZ_COMMAND=() DZ_FAULTS=''

dz_note() { printf '%s\n' "$*" >> "$DZ_WORK/notes"; }
dz_now() { date +%s%3N; }
# Records the current time under a name, for checks of order and duration.
dz_mark() { printf '%s\t%s\n' "$1" "$(dz_now)" >> "$DZ_WORK/marks"; }
dz_skip() { printf '%s\n' "${*:-not possible here}" > "$DZ_WORK/skipped"; exit 0; }

# --- configuration -----------------------------------------------------------------------------

declare -A CONF=(
  [Zone.Path]=$Z [Zone.Box]=$B [Staging.Quiet]=2s [Staging.EmptyGrace]=10s [Staging.Stalled]=60s
  [Staging.Rescan]=30s [Handler.Timeout]=30s [Handler.Workers]=1)

# Accepts the keywords of the scenarios (box=X, rescan=2, marker=.done …) and Group.Key=VALUE.
dz_conf() {
  local pair key value list
  for pair; do
    key=${pair%%=*} value=${pair#*=}
    case $key in
      box) case $value in B) value=$B;; X) value=$X;; C) value=$C;; esac; CONF[Zone.Box]=$value;;
      allow) CONF[Accept.Types]=${value//,/;};;
      ignore) list=${value#[}; list=${list%]}; list=${list//\"/}; CONF[Staging.Ignore]=${list//,/;};;
      marker) CONF[Staging.Marker]=$value;;
      quiet) CONF[Staging.Quiet]=${value}s;;
      grace) CONF[Staging.EmptyGrace]=${value}s;;
      stalled) CONF[Staging.Stalled]=${value}s;;
      rescan) CONF[Staging.Rescan]=${value}s;;
      timeout) CONF[Handler.Timeout]=${value}s;;
      require-mount) CONF[Zone.RequireMount]=$value;;
      prune) CONF[Zone.Prune]=$value;;
      *.*) CONF[$key]=$value;;
      *) dz_note "dz_conf: unknown key $key";;
    esac
  done
}

dz_write_zone() {
  local group key
  for group in Zone Accept Staging Handler Delivery; do
    printf '[%s]\n' "$group"
    for key in "${!CONF[@]}"; do
      [[ $key == "$group".* ]] && printf '%s=%s\n' "${key#*.}" "${CONF[$key]}"
    done
  done > "${1:-$DZ_CONFIG}/zones/z.zone"
}

# Installs BODY as the handler. It gets the payload as $1, and calls accept, reject REASON or notyet.
dz_handler() {
  local script=$DZ_WORK/handler.next
  {
    printf '#!/bin/bash\n'
    printf 'L=%q RUNS=%q S=%q\n' "$L" "$RUNS" "$S"
    printf '%s\n' 'accept() { exit 0; }' "reject() { printf '%s\\n' \"\$*\"; exit 1; }" 'notyet() { exit 75; }'
    printf "printf '%%s\\\\0' \"\$DROP_ID\" \"\$DROP_ATTEMPT\" \"\$#\" \"\$1\" \"\$DROP_NAME\" >> %q\n" "$DZ_WORK/runs"
    printf '%s\n' "$1"
  } > "$script"
  chmod 755 "$script"
  mv "$script" "$DZ_WORK/handler"
}
dz_handler accept
CONF[Handler.OnDrop]=$DZ_WORK/handler

# --- the daemon --------------------------------------------------------------------------------

dz_cli() { LD_PRELOAD='' "$DZ_BIN/dropzone" --socket "$DZ_SOCKET" "$@"; }
dz_alive() { [[ -n $DZ_PID ]] && kill -0 "$DZ_PID" 2>/dev/null; }

# Waits for a daemon that has ended, records how, and puts its status into DZ_EXIT.
dz_reap() {
  wait "$DZ_PID" 2>/dev/null; DZ_EXIT=$?
  printf '%s\t%s\n' "$DZ_STARTED" "$DZ_EXIT" >> "$DZ_WORK/exits"
  DZ_PID=''
  if [[ -n $DZ_WATCH ]]; then wait "$DZ_WATCH" 2>/dev/null; DZ_WATCH=''; fi
}

# Starts the daemon, and returns once it answers and its changes are being recorded; returns 1 if it ends before that.
dz_start() {
  local changes end
  [[ -n $DZ_PID ]] && { dz_alive && { dz_note "dz_start: daemon $DZ_STARTED is still running"; return 1; }; dz_reap; }
  DZ_STARTED=$((DZ_STARTED + 1))
  changes=$DZ_WORK/changes.$DZ_STARTED.jsonl
  dz_write_zone
  printf -- '--- daemon %s\n' "$DZ_STARTED" >> "$DZ_WORK/daemon.log"
  "${DZ_COMMAND[@]}" \
    env ${DZ_FAULTS:+"LD_PRELOAD=$DZ_SHIM" "DZ_FAULTS=$DZ_FAULTS" "DZ_FAULT_LOG=$DZ_WORK/faults"
      "DZ_FAULT_HOOK=$DZ_WORK/hook"} \
    "$DZ_BIN/dropzoned" --config "$DZ_CONFIG" --state "$DZ_STATE" --socket "$DZ_SOCKET" \
    >> "$DZ_WORK/daemon.log" 2>&1 &
  DZ_PID=$!
  end=$(($(dz_now) + 60000))
  : > "$changes"
  while dz_alive; do
    if [[ -S $DZ_SOCKET ]] && dz_cli status --json > /dev/null 2>> "$DZ_WORK/client.log"; then
      dz_cli status --watch --json > "$changes" 2>> "$DZ_WORK/client.log" &
      DZ_WATCH=$!
      until [[ -s $changes ]]; do
        dz_alive || break
        (($(dz_now) < end)) || { dz_note "daemon $DZ_STARTED: 'status --watch --json' printed nothing"; return 1; }
        sleep 0.02
      done
      dz_alive || break
      dz_mark "started $DZ_STARTED"
      return 0
    fi
    (($(dz_now) < end)) || { dz_note "daemon $DZ_STARTED did not answer within 60 s"; return 1; }
    sleep 0.05
  done
  dz_reap
  return 1
}

# Starts a second daemon for the same zone, with its own state. Its exit is in `second`, and its output in second.log.
dz_start_second() {
  mkdir -p "$DZ_WORK/config2/zones"; dz_write_zone "$DZ_WORK/config2"
  timeout 20 "$DZ_BIN/dropzoned" --config "$DZ_WORK/config2" --state "$DZ_WORK/state2" --socket "$DZ_WORK/sock2" \
    > "$DZ_WORK/second.log" 2>&1
  printf '%s\n' $? > "$DZ_WORK/second"
}

# Waits up to $1 seconds until the daemon is gone; returns 1 if it is still running.
dz_gone() {
  local end=$(($(dz_now) + ${1:-20} * 1000))
  [[ -n $DZ_PID ]] || return 0
  while dz_alive; do (($(dz_now) < end)) || return 1; sleep 0.05; done
  dz_reap
}

dz_stop() {
  local begin; begin=$(dz_now)
  dz_alive || { [[ -n $DZ_PID ]] && dz_reap; return 1; }
  kill -TERM "$DZ_PID"
  if ! dz_gone 15; then
    dz_note "daemon $DZ_STARTED did not end within 15 s of TERM"
    kill -KILL "$DZ_PID"; dz_gone 5
  fi
  printf 'stopped %s\t%s\n' "$DZ_STARTED" $(($(dz_now) - begin)) >> "$DZ_WORK/stops"
}
dz_kill() { kill -KILL "$DZ_PID" && dz_gone 5; }
dz_pause() { kill -STOP "$DZ_PID"; }
dz_cont() { kill -CONT "$DZ_PID"; }

# --- waiting -----------------------------------------------------------------------------------

# Waits until `status --json` contains the pattern, up to $2 seconds (30).
dz_see() {
  local end=$(($(dz_now) + ${2:-30} * 1000))
  until dz_cli status --json 2>> "$DZ_WORK/client.log" | tr -d ' \n' | grep -q -- "$1"; do
    dz_alive || { dz_note "no daemon while waiting for $1 in the status"; return 1; }
    (($(dz_now) < end)) || { dz_note "$1 was not in the status after ${2:-30} s"; return 1; }
    sleep 0.1
  done
}

# Waits until the history has $1 lines, up to $2 seconds (90).
dz_receipts() {
  local end=$(($(dz_now) + ${2:-90} * 1000)) count=0
  while :; do
    count=$(dz_cli history --json 2>> "$DZ_WORK/client.log" | grep -c .)
    ((count >= $1)) && return 0
    dz_alive || { dz_note "no daemon while waiting for $1 receipts"; return 1; }
    (($(dz_now) < end)) || { dz_note "$count receipts, not $1, after ${2:-90} s"; return 1; }
    sleep 0.1
  done
}

# Waits until nothing is targeted or in hand, for at most 90 s. The last action reaches the daemon as an event, so first
# gives it time for that. With a number, first waits for that many receipts.
dz_idle() {
  local end=$(($(dz_now) + 90000)) left
  [[ -n ${1:-} ]] && dz_receipts "$1"
  sleep 0.3
  while :; do
    dz_alive || { dz_note "the daemon is not running while waiting for idle"; return 1; }
    left=$(((end - $(dz_now)) / 1000))
    ((left > 0)) || break
    if dz_cli wait --timeout "${left}s" > /dev/null 2>> "$DZ_WORK/client.log" &&
      dz_cli status --json 2> /dev/null | tr -d ' \n' | grep -q '"state":"idle"'; then return 0; fi
    sleep 0.2
  done
  dz_note "not idle after 90 s: $(dz_cli status --json 2>&1 | tr -d '\n')"
  return 1
}

# --- faults ------------------------------------------------------------------------------------

# Installs a handler that kills the daemon as soon as it judges a name that matches the glob.
dz_crash_on() { dz_handler "case \$DROP_NAME in $1) kill -KILL \$PPID; sleep 2;; esac; accept"; }

# Overwrites the ledger.
dz_corrupt_state() {
  find "$DZ_STATE" -type f -size +0 | while IFS= read -r file; do
    head -c 65536 /dev/urandom | dd of="$file" conv=notrunc status=none
  done
}

# Injects faults into the next daemon's system calls, with rules as in faults.c. An empty rule removes them.
dz_fault() {
  DZ_FAULTS=''; [[ -n ${1:-} ]] || return 0
  DZ_SHIM=$DZ_WORK/faults.so
  # Keep it in a private directory for the other recipes of the same run.
  local place=${DZ_WORK%/*}
  [[ -O $place && ! -k $place ]] && DZ_SHIM=$place/faults.$(cksum < "$RECIPES/faults.c" | tr ' ' .).so
  [[ -e $DZ_SHIM ]] || {
    cc -shared -fPIC -O1 -o "$DZ_WORK/faults.new" "$RECIPES/faults.c" -ldl 2>> "$DZ_WORK/notes" &&
      mv "$DZ_WORK/faults.new" "$DZ_SHIM"
  } || dz_skip 'no C compiler for the fault shim'
  DZ_FAULTS=$1
}

# Sets the kernel's event queue to $1 events for the daemon that is started next, and restores it right afterwards.
dz_start_with_queue() {
  local old; old=$(sysctl -n fs.inotify.max_queued_events)
  sysctl -qw fs.inotify.max_queued_events="$1" || dz_skip 'the length of the event queue cannot be set'
  trap "sysctl -qw fs.inotify.max_queued_events=$old; dz_finish" EXIT
  dz_start
  sysctl -qw fs.inotify.max_queued_events="$old"
  trap dz_finish EXIT
}

# Mounts a new file system on a directory, and creates what a new rig has in it.
dz_disk() {
  local kind=$1 place=$2 image size; image=$DZ_WORK/$(basename "$2").img
  case $kind in xfs) size=320M;; btrfs) size=256M;; *) size=64M;; esac
  truncate -s "$size" "$image"
  case $kind in
    xfs | btrfs) "mkfs.$kind" -q -f "$image";;
    *) "mkfs.$kind" -q -F "$image";;
  esac > /dev/null 2>&1 || dz_skip "no $kind"
  mkdir -p "$place"
  mount -o loop "$image" "$place" || dz_skip "no $kind mount"
}

# Cuts the power of such file systems, and mounts them again as after a boot. Data that was not flushed is lost; with
# CRASH_JOURNAL=flushed, the journal reached the disk, but the data did not. btrfs cannot be shut down, so its image is
# copied at that moment.
dz_cut() {
  local place device image flag=2
  [[ ${CRASH_JOURNAL:-} == flushed ]] && flag=1
  sleep 0.05
  for place; do
    image=$DZ_WORK/$(basename "$place").img
    if [[ $(findmnt -no FSTYPE "$place") == btrfs ]]; then
      cp --sparse=always --reflink=never "$image" "$image.cut" || dz_note "no power cut in $place"
    else
      /usr/bin/python3 -c 'import fcntl,os,struct,sys
fcntl.ioctl(os.open(sys.argv[1],os.O_RDONLY),0x8004587d,struct.pack("I",int(sys.argv[2])))' "$place" "$flag" ||
        dz_note "no power cut in $place"
    fi
  done
  for place; do
    device=$(findmnt -no SOURCE "$place"); image=$DZ_WORK/$(basename "$place").img
    umount "$place" || { dz_note "$place is busy after the power cut"; umount -l "$place"; }
    # A loop device that is still being released would be reused, and would then return only errors.
    for _ in $(seq 100); do losetup "$device" > /dev/null 2>&1 || break; sleep 0.05; done
    [[ -e $image.cut ]] && mv "$image.cut" "$image"
    mount -o loop "$image" "$place" || dz_note "$place does not come back"
  done
}

# Sets C to an empty directory on a case-insensitive file system.
mkcasebox() {
  C=$T/case; mkdir -p "$C"
  truncate -s 320M "$DZ_WORK/case.img"
  { mkfs.vfat "$DZ_WORK/case.img" && mount -o loop "$DZ_WORK/case.img" "$C"; } > /dev/null 2>&1 && return
  { mkfs.exfat "$DZ_WORK/case.img" && mount -o loop "$DZ_WORK/case.img" "$C"; } > /dev/null 2>&1 && return
  { mkfs.ext4 -q -F -O casefold "$DZ_WORK/case.img" && mount -o loop "$DZ_WORK/case.img" "$C" &&
    mkdir "$C/box" && chattr +F "$C/box" && C=$C/box; } > /dev/null 2>&1 && return
  { mkfs.xfs -q -f -n version=ci "$DZ_WORK/case.img" && mount -o loop "$DZ_WORK/case.img" "$C" && mkdir "$C/box" &&
    C=$C/box; } > /dev/null 2>&1
}

# --- results for the checks ---- ---------------------------------------------------------------

# Lists a directory: type, mode, owner, group, links, inode, 512-byte blocks, bytes, mtime and name; and the digests of
# its files. Every record ends with a zero byte.
dz_list() {
  [[ -d $2 ]] || return 0
  (cd "$2" && find . -mindepth 1 -printf '%y\t%m\t%U\t%G\t%n\t%i\t%b\t%s\t%T@\t%P\0' > "$DZ_WORK/tree.$1"
    find . -type f -size -3000M -exec sha256sum -z {} + > "$DZ_WORK/sums.$1") 2>> "$DZ_WORK/listing.log"
}

dz_list_all() {
  dz_list Z "$Z"; dz_list B "$B"; dz_list X "$X"; dz_list S "$S"; dz_list L "$L"
  dz_list R "$R"; dz_list RX "$X.rejects"
  local place
  for place in "$B.hold" "$X.hold" "$Z.hold" "$Z/.dropzone-hold"; do
    [[ -d $place ]] && find "$place" -mindepth 1 -printf '%p\0'
  done > "$DZ_WORK/held"
  [[ ${CONF[Zone.Box]} == "$B" || ${CONF[Zone.Box]} == "$X" ]] || {
    dz_list C "${CONF[Zone.Box]}"; dz_list RC "${CONF[Zone.Box]}.rejects"; }
}

dz_finish() {
  trap - EXIT
  if dz_alive; then
    kill -CONT "$DZ_PID"
    dz_cli status --json > "$DZ_WORK/status.json" 2>> "$DZ_WORK/client.log" || dz_note 'no status at the end'
    dz_cli history --json > "$DZ_WORK/history.jsonl" 2>> "$DZ_WORK/client.log" || dz_note 'no history at the end'
    grep VmHWM "/proc/$DZ_PID/status" > "$DZ_WORK/memory" 2>/dev/null
    dz_stop
  else
    [[ -n $DZ_PID ]] && dz_reap
    [[ -e $DZ_WORK/dead ]] || dz_note 'the daemon is not running at the end'
  fi
  dz_list_all
}
trap dz_finish EXIT

# Apply the variant of this run, such as box=X.
dz_conf ${DZ_VARIANT:-}
