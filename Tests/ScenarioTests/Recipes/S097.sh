# A link points out of the zone, and a hard link refers to a file that its sender may not read.
. "${0%/*}/prelude.sh"
say secret 500 > "$L/secret"; chmod 600 "$L/secret"; chown 1234 "$L/secret" || dz_skip 'no other owner possible'
dz_start
ln -s "$L/secret" "$Z/report.txt"; ln "$L/secret" "$Z/hard.txt"; dz_idle 1
