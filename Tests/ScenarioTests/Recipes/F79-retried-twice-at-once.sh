# Two clients retry the same reject while the ledger is slow, and the daemon dies with it in hand.
. "${0%/*}/prelude.sh"
dz_conf quiet=0.3; dz_handler 'reject no'; dz_start; say n 3000 > "$Z/n.txt"; dz_idle 1
ID=$(dz_cli history --json | sed 's/.*"id":"\([^"]*\)".*/\1/'); dz_stop
printf '#!/bin/bash\nsleep 0.3\n' > "$DZ_WORK/hook"; chmod 755 "$DZ_WORK/hook"
dz_fault "fsync:$DZ_STATE/ledger.db-wal:HOOK:-1"; dz_handler 'sleep 20'; dz_start
dz_cli retry "$ID" > "$DZ_WORK/one" 2>&1 & first=$!
dz_cli retry "$ID" > "$DZ_WORK/two" 2>&1; wait "$first"; sleep 1; dz_kill
dz_fault; dz_handler accept; dz_start; dz_idle 2
