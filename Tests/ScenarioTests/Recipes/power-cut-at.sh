# The power fails before call number CRASH_AT of those that change something on disk.
. "${0%/*}/prelude.sh"
dz_disk "$CRASH_DISK" "$T"; dz_disk ext4 "$DZ_STATE"; mkdir "$Z" "$B" "$S" "$L"; disks=("$T" "$DZ_STATE")
if [[ ${CONF[Zone.Box]} == "$X" ]]; then dz_disk "$CRASH_DISK" "${X%/box}"; mkdir "$X"; disks+=("${X%/box}"); fi
sync -f "$T"; sync -f "${X%/box}"
. "$RECIPES/crash.sh"
dz_crash_begin
dz_crash_calls
dz_start && dz_crash_act
dz_let_crash || dz_kill
dz_end_reader
dz_cut "${disks[@]}"
grep 'power\|busy\|come back' "$DZ_WORK/notes" > "$DZ_WORK/notes.cut"; mv "$DZ_WORK/notes.cut" "$DZ_WORK/notes"
[[ $KIND == reader ]] && { mv "$DZ_WORK/taken" "$DZ_WORK/taken.before"; dz_read_box & READER=$!; }
dz_crash_end
