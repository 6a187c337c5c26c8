# Another process has the ledger.
. "${0%/*}/prelude.sh"
dz_conf quiet=0.3; dz_start; say n 3000 > "$Z/n.txt"; dz_idle 1; dz_stop
/usr/bin/python3 -c 'import sqlite3, sys, time
ledger = sqlite3.connect(sys.argv[1], isolation_level=None)
ledger.execute("BEGIN EXCLUSIVE"); print(flush=True); time.sleep(60)' "$DZ_STATE/ledger.db" > "$DZ_WORK/locked" & locker=$!
until [[ -s $DZ_WORK/locked ]]; do sleep 0.05; done
dz_start && dz_note 'the daemon starts with a locked ledger'; tail -n 1 "$DZ_WORK/daemon.log" > "$DZ_WORK/said"
kill "$locker"; wait "$locker" 2> /dev/null
say m 3000 > "$Z/m.txt"; dz_start; dz_idle 2
