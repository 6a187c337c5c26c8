# The power goes before one of the calls that change something on disk. Each disk is one of its own.
. "${0%/*}/prelude.sh"
dz_disk "$CRASH_DISK" "$T"; dz_disk ext4 "$DZ_STATE"; mkdir "$Z" "$B" "$S" "$L"; disks=("$T" "$DZ_STATE")
if [[ ${CONF[Zone.Box]} == "$X" ]]; then dz_disk "$CRASH_DISK" "${X%/box}"; mkdir "$X"; disks+=("${X%/box}"); fi
sync
dz_conf Staging.Quiet=300ms
dz_fault "$CRASH_CALLS:@($T/*|$X/*|$DZ_STATE/*):KILL:$CRASH_AT"
dz_start
pdf one 300000 > "$S/one.pdf"; sync "$S/one.pdf"; mv "$S/one.pdf" "$Z/one.pdf"; sync "$S" "$Z"
if dz_alive; then
  for i in $(seq 100); do
    dz_alive || break
    dz_cli history --json 2>/dev/null | grep -q . && break
    sleep 0.05
  done
  dz_gone 1 || dz_kill
fi
dz_fault ''
dz_cut "${disks[@]}"
grep 'power\|busy\|come back' "$DZ_WORK/notes" > "$DZ_WORK/notes.cut"; mv "$DZ_WORK/notes.cut" "$DZ_WORK/notes"
dz_start; dz_idle 1
