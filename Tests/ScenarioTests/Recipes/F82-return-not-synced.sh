# A payload that is put back for "not yet" cannot be synced at first, and the daemon dies; or the sync succeeds later.
. "${0%/*}/prelude.sh"
dz_conf quiet=0.3; dz_handler '[[ -e $L/go ]] && accept || notyet'
case $END in kill) dz_fault "fsync:$Z:5:-1";; *) dz_fault "fsync:$Z:5:2";; esac
dz_start; say n 3000 > "$Z/n.txt"; until [[ -s $DZ_WORK/runs ]]; do sleep 0.02; done; sleep 0.5
/usr/bin/python3 -c 'import sqlite3, sys
print(*[row[0] for row in sqlite3.connect(sys.argv[1]).execute("SELECT state FROM drops")])' "$DZ_STATE/ledger.db" > "$DZ_WORK/rows"
touch "$L/go"
if [[ $END == kill ]]; then dz_kill; dz_fault; dz_start; fi
dz_idle 1
