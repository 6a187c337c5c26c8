# A sender keeps the finished file open for reading and, while it is judged, reopens it for writing.
. "${0%/*}/prelude.sh"
dz_conf quiet=0.3; dz_handler "touch '$L/judging'; until [[ -e '$L/written' ]]; do sleep 0.05; done; accept"; dz_start
say v 10000 > "$Z/v.txt"
/usr/bin/python3 -c 'import os, sys, time
kept = os.open(sys.argv[1], os.O_RDONLY)
while not os.path.exists(sys.argv[2]): time.sleep(0.02)
writer = os.open(f"/proc/self/fd/{kept}", os.O_WRONLY | os.O_APPEND)
os.write(writer, b"late\n" * 1000); open(sys.argv[3], "w").close()
time.sleep(float(sys.argv[4])); os.close(writer)' "$Z/v.txt" "$L/judging" "$L/written" "${HELD:-0}" &
dz_idle 1
