# A sender creates files whose total size overflows an integer, and gives a directory a time long ago.
. "${0%/*}/prelude.sh"
W=${X%/box}; Z=$W/zone; mkdir "$Z"
truncate -s 7E "$W/far" 2> /dev/null || dz_skip "no file of 7 EiB in $W"; rm "$W/far"
mkdir "$Z/d"; touch -d 1700-01-01 "$Z/d"; [[ $(stat -c %Y "$Z/d") -lt -8000000000 ]] || dz_skip "no time of 1700 in $W"
dz_conf "Zone.Path=$Z" box=X quiet=3 prune=yes rescan=300; dz_start
truncate -s 7E "$Z/a.bin" "$Z/b.bin"; dz_see '"itemsCount":2' 10
truncate -s 6E "$Z/b.bin"; dz_see '"bytes":6917529027641081856' 10
rm "$Z/a.bin" "$Z/b.bin"; dz_receipts 2 15
say n 3000 > "$Z/d/n.txt"; dz_receipts 3 15; touch -d 1700-01-01 "$Z/d"
for _ in $(seq 200); do [[ -e $Z/d ]] || break; sleep 0.05; done
