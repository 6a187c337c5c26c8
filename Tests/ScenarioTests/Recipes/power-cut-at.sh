# The power goes before call number CRASH_AT of those that change something on disk.
. "${0%/*}/prelude.sh"
dz_disk "$CRASH_DISK" "$T"; dz_disk ext4 "$DZ_STATE"; mkdir "$Z" "$B" "$S" "$L"; disks=("$T" "$DZ_STATE")
if [[ ${CONF[Zone.Box]} == "$X" ]]; then dz_disk "$CRASH_DISK" "${X%/box}"; mkdir "$X"; disks+=("${X%/box}"); fi
sync
. "$RECIPES/crash.sh"
dz_crash_calls
dz_start
pdf one 300000 > "$S/one.pdf"; sync "$S/one.pdf"; mv "$S/one.pdf" "$Z/one.pdf"; sync "$S" "$Z"
dz_let_crash || dz_kill
dz_fault ''
dz_cut "${disks[@]}"
grep 'power\|busy\|come back' "$DZ_WORK/notes" > "$DZ_WORK/notes.cut"; mv "$DZ_WORK/notes.cut" "$DZ_WORK/notes"
dz_start; dz_idle 1
[[ $KIND == copy ]] && { sleep 1; dz_idle; }
