# Names have the maximum length. Box and verdict are variants.
. "${0%/*}/prelude.sh"
[[ ${VERDICT:-accept} == reject ]] && dz_handler 'reject no'
n=$(printf 'n%.0s' $(seq 251)).pdf; u=$(printf '\303\244%.0s' $(seq 125)).txt
box=${CONF[Zone.Box]}; say clash 10 > "$box/$n"
[[ ${VERDICT:-accept} == reject ]] && { mkdir "$box.rejects"; say clash 10 > "$box.rejects/$n"; }
dz_start; pdf long 3000 > "$Z/$n"; say uml 2000 > "$Z/$u"; dz_idle 2
