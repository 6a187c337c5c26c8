# The handler runs BODY, and leaves the payload under another name in the hold, something else under its name, or
# nothing.
. "${0%/*}/prelude.sh"
dz_conf quiet=0.3; dz_handler "$BODY"; dz_start
say n 3000 > "$Z/n.txt"; dz_idle 1
dz_stop; dz_start; dz_idle
