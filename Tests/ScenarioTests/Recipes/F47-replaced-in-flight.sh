# Senders rename new versions onto the same names while earlier versions are being taken.
. "${0%/*}/prelude.sh"
unset 'CONF[Handler.OnDrop]'; dz_conf quiet=0.3; dz_start
/usr/bin/python3 - "$S" "$Z" "${LINES_EACH:-1}" "${PAUSE:-0}" <<'P'
import os, random, sys, time
source, zone, lines, pause = sys.argv[1], sys.argv[2], int(sys.argv[3]), float(sys.argv[4])
names = list(range(120))
for version in range(12):
    for name in names:
        with open(f'{source}/{name}', 'w') as file: file.write(f'{name} of version {version}\n' * lines)
    random.Random(version).shuffle(names)
    for name in names: os.rename(f'{source}/{name}', f'{zone}/f{name}.txt')
    time.sleep(0 if version % 3 else pause)
P
dz_idle; sleep 0.5; dz_idle
(cd "${CONF[Zone.Box]}" && grep -rl 'of version 11$' . | wc -l) > "$DZ_WORK/newest"
(cd "${CONF[Zone.Box]}" && sha256sum ./* | cut -d' ' -f1 | sort | uniq -d) > "$DZ_WORK/twice"
