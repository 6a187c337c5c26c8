# What the crash recipes share. KIND is whose way is interrupted: accept, reject, copy, return (the handler says
# «not yet» once), reader (whoever reads the box takes each file at once), retry (a reject, accepted this time),
# again (a reject, refused once more), undo (back from the box).
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

# Takes each file out of the box as soon as it is there. What it has removed is gone for good.
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

# Brings the payload to where its way begins.
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

# Sends it on its way, unless it has gone already.
dz_crash_act() {
  if [[ -z $VERB ]]; then
    [[ -e $S/one.pdf ]] && { mv "$S/one.pdf" "$Z/one.pdf"; sync "$S" "$Z"; }
  else
    (($(dz_lines) > LINES)) || dz_cli "$VERB" "$ID" > "$DZ_WORK/verb.log" 2>&1
  fi
}

# Waits until the daemon has met its end, or until what it had to do is done; 1 when it lives on.
dz_let_crash() {
  local i
  dz_alive || return 0
  for i in $(seq 100); do
    dz_alive || break
    (($(dz_lines) > LINES)) && break
    sleep 0.05
  done
  # What follows the receipt, such as closing the row, has its turn too.
  dz_gone 1
}

# What a daemon makes of it that is left alone.
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
