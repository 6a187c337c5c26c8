# The daemon dies with more payloads in hand than one session may have.
. "${0%/*}/prelude.sh"
dz_conf quiet=0.5 Accept.MaxItems=2; dz_fault "rename:$B.hold/0*:DIED:4"; dz_start
for name in a b c d; do say "$name" 3000 > "$Z/$name.txt"; done; dz_gone
dz_fault; dz_start; dz_idle 4
