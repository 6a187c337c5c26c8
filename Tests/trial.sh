# Shared by the long trials: directories, a daemon that may be killed, payloads that are counted. Trials source this file.
set -u
name=${0##*/}
TESTS=$(cd "${BASH_SOURCE[0]%/*}" && pwd)
: "${DZ_BIN:=$TESTS/../.build/debug}" "${XDEV:=/dev/shm}"
# A daemon that is killed must not spend seconds on a backtrace.
export SWIFT_BACKTRACE=enable=no

say() { printf '%s\n' "$*"; }
die() { printf '%s: %s\n' "$name" "$*" >&2; exit 1; }
# 64 is the exit status for incorrect usage.
misused() { printf '%s: %s; try --help\n' "$name" "$*" >&2; exit 64; }
now() { date +%s%3N; }

# --- places ------------------------------------------------------------------------------------

# Creates WORK, and FAR on another file system. Both are removed at the end, unless something went wrong.
begin() {
  [[ -x $DZ_BIN/dropzoned ]] || die "there is no daemon in '$DZ_BIN': run swift build, or set DZ_BIN"
  WORK=$(mktemp -d "${TMPDIR:-/tmp}/dz-$name.XXXXXX")
  FAR=$(mktemp -d -p "$XDEV" "dz-$name.XXXXXX")
  chmod 755 "$WORK" "$FAR"
  CONFIG=$WORK/config STATE=$WORK/state SOCKET=$WORK/sock
  mkdir -p "$CONFIG/zones" "$WORK/expected" "$WORK/make"
  ZONES=() BOXES=() COPIES=() DAEMON='' DAEMON_EXIT=0
  trap end EXIT
  trap 'exit 130' INT TERM
}

end() {
  local status=$?
  trap - EXIT
  put_back
  kill_daemon
  for job in $(jobs -p); do kill "$job" 2> /dev/null; done
  wait 2> /dev/null
  if [[ $status != 0 || -n ${KEEP:-} ]]; then
    say "left for inspection: $WORK $FAR"
  else
    rm -rf --one-file-system -- "$WORK" "$FAR"
  fi
  exit "$status"
}
# A trial that changes the machine redefines this to restore it, however the trial ends.
put_back() { :; }

# zone NAME BOX [Group.Key=VALUE…]: creates a zone, its directory and its box.
zone() {
  local zone=$1 box=$2 group word
  shift 2
  local -A words=([Staging.Quiet]=200ms [Staging.Rescan]=5s)
  for word; do words[${word%%=*}]=${word#*=}; done
  mkdir -p "$WORK/$zone" "$box"
  ZONES+=("$WORK/$zone")
  # Two zones may share a box.
  [[ " ${BOXES[*]} " == *" $box "* ]] || BOXES+=("$box" "$box.rejects")
  [[ ${words[Delivery.Operation]:-} == copy ]] && COPIES+=("$WORK/$zone")
  for group in Zone Accept Staging Handler Delivery; do
    printf '[%s]\n' "$group"
    [[ $group == Zone ]] && printf 'Path=%s\nBox=%s\n' "$WORK/$zone" "$box"
    for word in "${!words[@]}"; do
      [[ $word == "$group".* ]] && printf '%s=%s\n' "${word#*.}" "${words[$word]}"
    done
  done > "$CONFIG/zones/$zone.zone"
}

# --- the daemon --------------------------------------------------------------------------------

run_daemon() {
  "$@" "$DZ_BIN/dropzoned" --config "$CONFIG" --state "$STATE" --socket "$SOCKET" >> "$WORK/daemon.log" 2>&1 &
  DAEMON=$!
}
is_alive() { [[ -n $DAEMON ]] && kill -0 "$DAEMON" 2> /dev/null; }
cli() { timeout 60 "$DZ_BIN/dropzone" --socket "$SOCKET" "$@"; }

# Waits for a daemon to exit, and puts its status into DAEMON_EXIT.
reap_daemon() {
  [[ -n $DAEMON ]] || return
  wait "$DAEMON" 2> /dev/null
  DAEMON_EXIT=$?
  DAEMON=''
}
kill_daemon() {
  [[ -n $DAEMON ]] && kill -KILL "$DAEMON" 2> /dev/null
  reap_daemon
}
stop_daemon() {
  [[ -n $DAEMON ]] && kill -TERM "$DAEMON" 2> /dev/null
  reap_daemon
}

# Waits until the daemon answers, for at most $1 seconds.
answers() {
  local end=$(($(now) + ${1:-60} * 1000))
  until cli status > /dev/null 2>&1; do
    is_alive || return 1
    (($(now) < end)) || return 1
    sleep 0.05
  done
}

# --- payloads ----------------------------------------------------------------------------------

# make SENDER BYTES: creates a unique payload, and records its digest as dropped by SENDER. Its path is in MADE.
# The caller must then drop it, whatever happens.
make() {
  MADE=$WORK/make/$1.$((MADE_COUNT += 1))
  { printf '%s\n' "$MADE $RANDOM"; head -c "$2" /dev/urandom; } > "$MADE"
  sha256sum < "$MADE" | cut -c 1-64 >> "$WORK/expected/$1"
}
MADE_COUNT=0

expected() { cat "$WORK"/expected/* 2> /dev/null | wc -l; }

# Prints the number of outcomes in all zones.
outcomes() {
  cli status --json 2> /dev/null | grep -oE '"(accepted|rejected)":[0-9]+' | awk -F : '{ n += $2 } END { print n + 0 }'
}

# Waits until there are as many outcomes as payloads and nothing is left to do, for at most $1 seconds.
settled() {
  local end=$(($(now) + $1 * 1000)) wanted
  wanted=$(expected)
  while (($(now) < end)); do
    is_alive || return 1
    (($(outcomes) >= wanted)) && cli wait --timeout 20s > /dev/null 2>&1 && return 0
    sleep 0.3
  done
  return 1
}

# Waits until the holds no longer contain files that were copied; a receipt may be written before that.
released() {
  local end=$(($(now) + 60000)) places=("${ZONES[@]/%/.hold}" "${ZONES[@]/%//.dropzone-hold}" "${BOXES[@]/%/.hold}")
  until [[ -z $(find "${places[@]}" -type f 2> /dev/null | head -n 1) ]]; do (($(now) < end)) || return; sleep 0.1; done
}

# Compares what is where with what was dropped and with the receipts; returns 1 if they differ.
add_up() {
  released
  cli history --json > "$WORK/history" || return 1
  cli status --json > "$WORK/status"
  python3 "$TESTS/add-up" "$WORK/expected" "$WORK/history" -- "${BOXES[@]}" "$@" -- "${ZONES[@]}" -- "${COPIES[@]}"
}
