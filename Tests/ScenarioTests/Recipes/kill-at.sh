# The daemon is killed before call number CRASH_AT of those that change something on disk.
. "${0%/*}/prelude.sh"
. "$RECIPES/crash.sh"
dz_crash_calls
pdf one 300000 > "$S/one.pdf"
dz_start && mv "$S/one.pdf" "$Z/one.pdf"
dz_let_crash || { dz_idle; dz_stop; }
dz_fault ''
[[ -e $S/one.pdf ]] && mv "$S/one.pdf" "$Z/one.pdf"
: > "$DZ_WORK/notes"
dz_start; dz_idle 1
[[ $KIND == copy ]] && { sleep 1; dz_idle; }
[[ -n ${READER:-} ]] && kill "$READER"
