# The ledger is damaged while the daemon has nothing in hand.
. "${0%/*}/prelude.sh"
dz_conf quiet=0.3; dz_start; say a 3000 > "$Z/a.txt"; dz_idle 1
dz_corrupt_state; say b 3000 > "$Z/b.txt"
dz_gone 20 || dz_note 'the daemon continues with a damaged ledger'
dz_start; dz_idle 1
