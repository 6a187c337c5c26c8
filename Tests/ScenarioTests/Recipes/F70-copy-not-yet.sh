# The answer for a copy is "not yet". Then the daemon ends (END=kill, stop), or the sender continues to write (END=after,
# during) or removes the original (END=gone); and then the copy is accepted.
. "${0%/*}/prelude.sh"
dz_conf quiet=0.3 rescan=300 Delivery.Operation=copy Handler.Workers=2
case $END in during) late="mkdir \$L/once && { cat '$S/m.txt' >> '$Z/n.txt'; sleep 1; touch \$L/go; }";; gone) late="rm '$Z/n.txt'; touch \$L/go";; esac
dz_handler "[[ -e \$L/go ]] && { sleep 1.5; accept; }; ${late:-:}; notyet"
dz_start; say m 3000 > "$S/m.txt"; say n 3000 > "$Z/n.txt"
until [[ -s $DZ_WORK/runs ]]; do sleep 0.02; done; sleep 0.3
case $END in kill) dz_kill;; stop) dz_stop;; after) cat "$S/m.txt" >> "$Z/n.txt";; esac
touch "$L/go"; [[ $END == [ks]* ]] && dz_start
dz_idle 1; sleep 2; dz_idle
