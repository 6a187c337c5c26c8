# The daemon is killed before one of the calls that change something on disk, number CRASH_AT.
. "${0%/*}/prelude.sh"
dz_conf Staging.Quiet=300ms
dz_fault "$CRASH_CALLS:@($T/*|$X/*|$DZ_STATE/*):KILL:$CRASH_AT"
pdf one 300000 > "$S/one.pdf"
dz_start && mv "$S/one.pdf" "$Z/one.pdf"
if dz_alive; then
  for i in $(seq 100); do
    dz_alive || break
    dz_cli history --json 2>/dev/null | grep -q . && break
    sleep 0.05
  done
  # What follows the receipt, such as closing the row, has its turn too.
  dz_gone 1 || { dz_idle; dz_stop; }
fi
dz_fault ''
[[ -e $S/one.pdf ]] && mv "$S/one.pdf" "$Z/one.pdf"
: > "$DZ_WORK/notes"
dz_start; dz_idle 1
