# A tree with neighbouring directories arrives, and becomes empty.
. "${0%/*}/prelude.sh"
dz_conf quiet=0.3 prune=yes; dz_start
mkdir -p "$S/t"/{a,b,c}; for d in a b c; do say "$d" 3000 > "$S/t/$d/n.txt"; done
mv "$S/t" "$Z/"; dz_idle 3
for _ in $(seq 200); do [[ -e $Z/t ]] || break; sleep 0.05; done
