# A burst arrives while a handler is busy.
. "${0%/*}/prelude.sh"
dz_handler 'case $DROP_NAME in first*) sleep 8;; esac; accept'
dz_start_with_queue 256; pdf first 3000 > "$Z/first.pdf"; dz_see '"inHand":1' 10
dz_mark burst; mkdir "$Z/m"; for i in $(seq 300); do say "$i" 200 > "$Z/m/$i.txt"; done
dz_idle 301
