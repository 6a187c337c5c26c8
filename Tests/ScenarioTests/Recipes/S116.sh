# The handler itself moves, removes or changes the payload.
. "${0%/*}/prelude.sh"
dz_handler 'case "$DROP_NAME" in mv*) mv "$1" "$L/taken";; rm*) rm "$1";; ed*) echo tail >> "$1";; esac; accept'; dz_start
pdf mv 3000 > "$Z/mv.pdf"; pdf rm 3000 > "$Z/rm.pdf"; pdf ed 3000 > "$Z/ed.pdf"; dz_idle 3
