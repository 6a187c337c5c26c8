# The daemon is stopped repeatedly while clients follow it, call it and wait for it.
. "${0%/*}/prelude.sh"
dz_conf quiet=0.3
cat > "$DZ_WORK/ask.py" <<'P'
import socket, sys, threading, time
path, method = sys.argv[1:]
call = b'{"method":"io.dropzone.Zones.%s","parameters":{}}\0' % method.encode()
def ask():
    while True:
        try:
            client = socket.socket(socket.AF_UNIX); client.settimeout(1); client.connect(path)
            for _ in range(200):
                client.sendall(call); client.recv(65536)
            client.close()
        except OSError: time.sleep(.002)
for _ in range(8): threading.Thread(target=ask, daemon=True).start()
time.sleep(600)
P
[[ $ASK == follow ]] || { /usr/bin/python3 "$DZ_WORK/ask.py" "$DZ_SOCKET" "$ASK" & ASKER=$!; }
trap 'kill $ASKER 2> /dev/null; dz_finish' EXIT
for round in {1..6}; do
  dz_start || break
  if [[ $ASK == follow ]]; then dz_cli history --follow > /dev/null 2>&1 & ASKER=$!; fi
  say "n$round" 3000 > "$Z/n$round.txt"; sleep 0.$((RANDOM % 5 + 2))
  kill -TERM "$DZ_PID"
  dz_gone 10 || { dz_note "daemon $round is still running 10 s after SIGTERM"; kill -KILL "$DZ_PID"; dz_gone 5; }
done
kill $ASKER 2> /dev/null
dz_start; dz_idle 6
