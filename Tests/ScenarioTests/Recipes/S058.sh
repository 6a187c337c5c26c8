# Scans and live events find the same file while it is judged.
. "${0%/*}/prelude.sh"
dz_handler 'sleep 8; accept'; dz_conf rescan=2
pdf dup 30000 > "$Z/dup.pdf"; dz_start; touch "$Z/dup.pdf"
dz_idle 1
