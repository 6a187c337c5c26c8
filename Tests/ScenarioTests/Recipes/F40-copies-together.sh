# Many files are copied together: the data of one cannot be written at first, and the daemon dies halfway.
. "${0%/*}/prelude.sh"
dz_conf quiet=0.3 Delivery.Operation=copy Handler.Workers=4
BOX=${CONF[Zone.Box]}
# The common sync fails, and then the sync of one file.
dz_fault "fsync:$BOX.hold/0*:5:2"; dz_start
mkdir "$S/t"; for i in {1..80}; do say "n$i" 3000 > "$S/t/n$i.txt"; done
mv "$S/t" "$Z/"; until [[ -n $(ls "$BOX/t" 2> /dev/null) ]] || ! dz_alive; do sleep 0.01; done
dz_kill; dz_fault; dz_start; dz_idle 80
