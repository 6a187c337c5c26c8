# The daemon dies before a complete copy has its name, and the next one finds the ledger locked when it reads that row.
. "${0%/*}/prelude.sh"
dz_conf box=X quiet=0.3; dz_fault "rename:$X/n.txt:KILL:2"; dz_start
say n 3000 > "$Z/n.txt"; dz_gone
cat > "$DZ_WORK/hook" <<END
#!/bin/bash
mkdir "$DZ_WORK/locking" 2> /dev/null || exit 0
/usr/bin/python3 -c 'import sqlite3, sys, time
ledger = sqlite3.connect(sys.argv[1], isolation_level=None)
ledger.execute("BEGIN IMMEDIATE"); open(sys.argv[2], "w").close(); time.sleep(60)' "$DZ_STATE/ledger.db" "$DZ_WORK/locked" > /dev/null & echo \$! > "$DZ_WORK/locker"
until [[ -e $DZ_WORK/locked ]]; do sleep 0.02; done
END
chmod 755 "$DZ_WORK/hook"; dz_fault "look:$X/.dropzone-*:HOOK:-1"
dz_start; dz_gone 20 || dz_kill
kill -KILL "$(< "$DZ_WORK/locker")"; dz_fault; dz_start; dz_idle 1
