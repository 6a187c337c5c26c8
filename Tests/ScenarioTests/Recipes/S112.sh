# The handler is killed by signals, and is missing.
. "${0%/*}/prelude.sh"
dz_conf Handler.Attempts=3 stalled=60
dz_handler 'kill -SEGV $$'; dz_start; pdf c1 3000 > "$Z/c1.pdf"; dz_idle 1; dz_stop
dz_handler 'kill -9 $$'; dz_start; pdf c2 3000 > "$Z/c2.pdf"; dz_idle 2; dz_stop
dz_handler 'exit 127'; dz_start; pdf c3 3000 > "$Z/c3.pdf"; dz_see '"state":"blocked"' 20; sleep 2; dz_stop
dz_handler 'accept'; dz_start; dz_idle 3
