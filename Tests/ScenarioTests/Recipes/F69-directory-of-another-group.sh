# New directories in the box cannot get its group; one directory is as a crash left it.
. "${0%/*}/prelude.sh"
chgrp 4242 "$B"; chmod 775 "$B"; mkdir -m 700 "$B/u"; mkdir -m 700 "$B/mine"; say mine 10 > "$B/mine/x"
dz_conf quiet=0.3; dz_fault "chown:$B/t:1:-1"; dz_start
mkdir "$S/t" "$S/u" "$S/mine"; for d in t u mine; do say "$d" 3000 > "$S/$d/n.txt"; done; mv "$S"/* "$Z/"; dz_idle 3
