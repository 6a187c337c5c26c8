# A directory is removed with everything in it while one of its files is being claimed.
. "${0%/*}/prelude.sh"
dz_conf quiet=0.3
mkdir "$Z/sub"
printf '#!/bin/bash\nrm -rf "%s/sub"; touch "%s/removed"; sleep 0.5\n' "$Z" "$T" > "$DZ_WORK/hook"
chmod 755 "$DZ_WORK/hook"
dz_fault "fsync:$Z/sub/*:HOOK:-1"; dz_start
say n 3000 > "$Z/sub/n.txt"
until [[ -e $T/removed ]]; do dz_alive || break; sleep 0.05; done
dz_idle 1
