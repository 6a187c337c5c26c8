# Files that wait in a paused zone are renamed repeatedly; they have not left the zone.
. "${0%/*}/prelude.sh"
dz_conf quiet=0.3; dz_start; dz_cli pause z
for i in {1..10}; do say "n$i" 300 > "$Z/n$i.txt"; done
dz_see '"itemsCount":10'
/usr/bin/python3 - "$Z" <<'P'
import os, sys, time
zone, end = sys.argv[1], time.monotonic() + 4
names = [f'n{i}.txt' for i in range(1, 11)]
while time.monotonic() < end:
    time.sleep(0.002)
    for i, name in enumerate(names):
        names[i] = 'a' + name if len(name) < 12 else name.lstrip('a')
        os.rename(f'{zone}/{name}', f'{zone}/{names[i]}')
for name in names: os.rename(f'{zone}/{name}', f'{zone}/last-{name.lstrip("a")}')
P
dz_see '"itemsCount":10'; sleep 1; dz_cli resume z; dz_idle 10
