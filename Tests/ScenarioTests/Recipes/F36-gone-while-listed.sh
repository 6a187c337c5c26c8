# A directory is removed right before it is listed.
. "${0%/*}/prelude.sh"
printf '#!/bin/bash\nrm -rf "$2"\n' > "$DZ_WORK/hook"; chmod 755 "$DZ_WORK/hook"
dz_conf quiet=0.3 rescan=300; dz_fault "list:$Z/d:HOOK:1"; dz_start
mkdir "$S/d"; say n 3000 > "$S/d/n.txt"; mv "$S/d" "$Z/"; say m 3000 > "$Z/m.txt"; dz_idle 1; sleep 1.5; dz_idle
