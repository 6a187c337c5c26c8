# What the crash recipes share. KIND is what becomes of the payload: accept, reject, copy, return (the handler says
# «not yet» once), reader (whoever reads the box takes each file at once).
dz_conf Staging.Quiet=300ms
case ${KIND:=accept} in
  reject) dz_handler 'reject no';;
  copy) dz_conf Delivery.Operation=copy;;
  return) dz_handler "mkdir '$DZ_WORK/asked' 2>/dev/null && notyet; accept";;
  reader)
    mkdir "$DZ_WORK/taken"
    ( while :; do
        for file in "${CONF[Zone.Box]}"/*; do
          [[ -e $file ]] && taken=$((${taken:-0} + 1)) && cp "$file" "$DZ_WORK/taken/$taken.part" && rm "$file" &&
            mv "$DZ_WORK/taken/$taken.part" "$DZ_WORK/taken/$taken"
        done
        sleep 0.01
      done ) & READER=$!;;
esac

dz_crash_calls() { dz_fault "$CRASH_CALLS:@($T/*|${X%/box}/*|$DZ_STATE/*):KILL:$CRASH_AT"; }

# Waits until the daemon has met its end, or until what it had to do is done; 1 when it lives on.
dz_let_crash() {
  local i
  dz_alive || return 0
  for i in $(seq 100); do
    dz_alive || break
    dz_cli history --json 2>/dev/null | grep -q . && break
    sleep 0.05
  done
  # What follows the receipt, such as closing the row, has its turn too.
  dz_gone 1
}
