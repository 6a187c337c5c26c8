# The ledger was written by a later version.
. "${0%/*}/prelude.sh"
dz_conf quiet=0.3; dz_start; say n 3000 > "$Z/n.txt"; dz_idle 1; dz_stop
version() { /usr/bin/python3 -c 'import sqlite3, sys; ledger = sqlite3.connect(sys.argv[1])
was = ledger.execute("PRAGMA user_version").fetchone()[0]; ledger.execute(f"PRAGMA user_version={sys.argv[2]}"); print(was)' \
  "$DZ_STATE/ledger.db" "$1"; }
was=$(version 99); sha256sum < "$DZ_STATE/ledger.db" > "$DZ_WORK/before"; say m 3000 > "$Z/m.txt"
dz_start && dz_note 'the daemon starts with a newer ledger'; tail -n 1 "$DZ_WORK/daemon.log" > "$DZ_WORK/said"
sha256sum < "$DZ_STATE/ledger.db" > "$DZ_WORK/after"; ls "$DZ_STATE" > "$DZ_WORK/files"
version "$was" > /dev/null; dz_start; dz_idle 2
