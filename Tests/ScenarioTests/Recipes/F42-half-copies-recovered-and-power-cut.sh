# The daemon dies during many copies, the next one removes them, and then the power fails.
. "${0%/*}/prelude.sh"
dz_disk ext4 "$T"; dz_disk ext4 "$DZ_STATE"; mkdir "$Z" "$B" "$S" "$L"
dz_conf quiet=2 Delivery.Operation=copy Handler.OnDrop=
mkdir "$B/t" "$S/t"; for i in {1..20}; do say "n$i" 3000 > "$S/t/n$i.txt"; done; sync -f "$T"
dz_fault "fsync:$B.hold:DIED:1"; dz_start
mv "$S/t" "$Z/"; dz_gone 30 || dz_kill
dz_fault; dz_start; dz_kill; dz_cut "$T"
grep 'power\|busy\|come back' "$DZ_WORK/notes" > "$DZ_WORK/notes.cut"; mv "$DZ_WORK/notes.cut" "$DZ_WORK/notes"
dz_start; dz_idle 20
