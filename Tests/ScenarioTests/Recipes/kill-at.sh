# The daemon is killed before call number CRASH_AT of those that change something on disk.
. "${0%/*}/prelude.sh"
. "$RECIPES/crash.sh"
dz_crash_begin
dz_crash_calls
dz_start && dz_crash_act
dz_let_crash || { dz_idle; dz_stop; }
: > "$DZ_WORK/notes"
dz_crash_end
