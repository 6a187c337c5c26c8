# A directory is moved out of the zone while a file in it is being claimed.
. "${0%/*}/prelude.sh"
dz_conf quiet=0.3
mkdir "$Z/sub"
printf '#!/bin/bash\n[[ ! -e "%s/sub" ]] || mv "%s/sub" "%s/moved"\n' "$Z" "$Z" "$T" > "$DZ_WORK/hook"
chmod 755 "$DZ_WORK/hook"
dz_fault "fsync:$Z/sub/*:HOOK:-1"; dz_start
say n 3000 > "$Z/sub/n.txt"
until [[ -d $T/moved ]]; do dz_alive || break; sleep 0.05; done
say m 3000 > "$Z/m.txt"; dz_idle 1
find "$T/moved" -type f -printf '%f\n' > "$DZ_WORK/moved"
