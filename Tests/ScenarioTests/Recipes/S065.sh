# The ledger is damaged while the daemon is down.
. "${0%/*}/prelude.sh"
dz_start; pdf s1 4000 > "$Z/s1.pdf"; dz_idle 1; dz_kill; dz_corrupt_state
pdf s1b 4100 > "$Z/s1.pdf"; pdf s2 4000 > "$Z/s2.pdf"; dz_start; dz_idle 2
