# A private file is delivered into a box that belongs to a group.
. "${0%/*}/prelude.sh"
chmod 2770 "$B" "$X"; chgrp 100 "$B" "$X" || dz_skip 'the group of the box cannot be changed'
dz_start
( umask 077; pdf priv 5000 > "$Z/priv.pdf" ); dz_idle 1
