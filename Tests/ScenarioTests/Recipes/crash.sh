# Shared by the crash recipes. KIND is the path that is interrupted: accept, reject, copy, return (the handler answers
# "not yet" once), reader (a reader of the box takes each file at once), retry (a reject that is retried and accepted),
# again (a reject that is retried and refused again), undo (a delivery that is undone).
dz_conf Staging.Quiet=300ms
BOX=${CONF[Zone.Box]} ID='' LINES=0 VERB=''
case ${KIND:=accept} in
  reject) dz_handler 'reject no';;
  copy) dz_conf Delivery.Operation=copy;;
  return) dz_handler "mkdir '$DZ_WORK/asked' 2>/dev/null && notyet; accept";;
  retry | again) dz_handler 'reject no'; VERB=retry;;
  undo) VERB=undo;;
esac

dz_crash_calls() { dz_fault "$CRASH_CALLS:@($T/*|${X%/box}/*|$DZ_STATE/*):KILL:$CRASH_AT"; }
dz_lines() { dz_cli history --json 2>/dev/null | grep -c .; }

# Takes each file out of the box as soon as it appears. A file that it has removed is gone for good.
dz_read_box() {
  mkdir "$DZ_WORK/taken"
  while :; do
    for file in "$BOX"/*; do
      [[ -f $file ]] && taken=$((${taken:-0} + 1)) && cp "$file" "$DZ_WORK/taken/$taken.part" && rm "$file" &&
        sync "$BOX" && mv "$DZ_WORK/taken/$taken.part" "$DZ_WORK/taken/$taken"
    done
    sleep 0.01
  done
}
READER=''
dz_end_reader() { if [[ -n $READER ]]; then kill "$READER"; wait "$READER" 2>/dev/null; READER=''; fi; }

# Brings the payload to the start of the path.
dz_crash_begin() {
  pdf one 300000 > "$S/one.pdf"; sync "$S/one.pdf"
  if [[ -n $VERB ]]; then
    dz_start; mv "$S/one.pdf" "$Z/one.pdf"; dz_idle 1
    ID=$(dz_cli history --json | sed 's/.*"id":"\([^"]*\)".*/\1/') LINES=$(dz_lines)
    dz_stop
    [[ $KIND == retry ]] && dz_handler accept
  fi
  [[ $KIND == reader ]] && { dz_read_box & READER=$!; }
}

# Starts the path, unless it has already been started.
dz_crash_act() {
  if [[ -z $VERB ]]; then
    [[ -e $S/one.pdf ]] && { mv "$S/one.pdf" "$Z/one.pdf"; sync "$S" "$Z"; }
  else
    (($(dz_lines) > LINES)) || dz_cli "$VERB" "$ID" > "$DZ_WORK/verb.log" 2>&1
  fi
}

# Waits until the daemon has been killed or has finished its work; returns 1 if it is still alive.
dz_let_crash() {
  local i
  dz_alive || return 0
  for i in $(seq 100); do
    dz_alive || break
    (($(dz_lines) > LINES)) && break
    sleep 0.05
  done
  # Also give the steps after the receipt time to happen, such as closing the row.
  dz_gone 1
}

# Lets a daemon finish without interruption.
dz_crash_end() {
  dz_fault ''
  dz_start
  [[ -n $VERB ]] && dz_idle
  dz_crash_act
  dz_idle $((LINES + 1))
  # An original that was copied must not be taken again.
  [[ $KIND == copy ]] && { sleep 1; dz_idle; }
  dz_end_reader
}
