# Finished files have names that look temporary.
. "${0%/*}/prelude.sh"
dz_conf stalled=10; dz_start
say k 5000 > "$Z/engine.part"; say k 5000 > "$Z/notes.tmp"; pdf ok 5000 > "$Z/ok.pdf"; dz_mark dropped
dz_idle
