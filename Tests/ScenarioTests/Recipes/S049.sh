# One directory of the zone raises events, and another one does not.
. "${0%/*}/prelude.sh"
dz_conf rescan=10
mkdir "$Z/local" "$Z/nas" "$S/l2" "$S/u2" "$S/w2"
mount -t overlay overlay -o "lowerdir=$S/l2,upperdir=$S/u2,workdir=$S/w2" "$Z/nas" || dz_skip 'no overlay mount'
dz_start; pdf l 4000 > "$Z/local/l.pdf"; pdf n 4000 > "$S/u2/n.pdf"; dz_mark dropped
dz_idle 2
