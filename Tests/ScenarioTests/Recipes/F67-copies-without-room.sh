# Two payloads, of which only one fits into a box on another file system, and small ones that fit.
. "${0%/*}/prelude.sh"
C=$T/small; mkdir "$C"; mount -t tmpfs -o size=100m tmpfs "$C" || dz_skip 'no mount'; mkdir "$C/box"
dz_conf quiet=0.3 box="$C/box" Handler.OnDrop=
dz_fault "write:$C/box/.dropzone-*:0:0"; dz_start
head -c 60000000 /dev/urandom > "$S/a.bin"; head -c 60000000 /dev/urandom > "$S/b.bin"; mv "$S"/*.bin "$Z/"
dz_receipts 1 60; dz_see '"state":"blocked"'
for i in {1..10}; do say "n$i" 1000000 > "$Z/n$i.txt"; done; dz_receipts 11 15
sleep 4; sort "$DZ_WORK/faults" | uniq -c | awk '{print $1}' > "$DZ_WORK/writes"
dz_cli status > "$DZ_WORK/said"; rm "$C/box"/?.bin; dz_idle 12
