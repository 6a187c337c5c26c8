# The zone is changed, and two clients request a reload at once while a payload is being taken.
. "${0%/*}/prelude.sh"
printf '#!/bin/bash\ntouch "%s"; sleep 1\n' "$DZ_WORK/syncing" > "$DZ_WORK/hook"; chmod 755 "$DZ_WORK/hook"
dz_conf quiet=0.3; dz_fault "fsync:$Z/a.txt:HOOK:-1"; dz_start
say a 2000000 > "$Z/a.txt"; until [[ -e $DZ_WORK/syncing ]]; do sleep 0.02; done
dz_conf quiet=0.4; dz_write_zone
dz_cli reload & first=$!; sleep 0.1; dz_cli reload; wait "$first"
say b 3000 > "$Z/b.txt"; dz_idle 2
