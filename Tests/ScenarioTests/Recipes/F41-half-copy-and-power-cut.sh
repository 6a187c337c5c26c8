# One of many files that are copied together changes; its partial copy is removed, and then the power fails.
. "${0%/*}/prelude.sh"
dz_disk ext4 "$T"; dz_disk ext4 "$DZ_STATE"; mkdir "$Z" "$B" "$S" "$L"
dz_conf quiet=0.3 Delivery.Operation=copy Handler.OnDrop=
cat > "$DZ_WORK/hook" <<END
#!/bin/bash
mkdir "$DZ_WORK/changed" 2> /dev/null && printf more >> "$Z/t/n20.txt"
END
chmod 755 "$DZ_WORK/hook"
mkdir "$B/t" "$S/t"; for i in {1..20}; do say "n$i" 3000 > "$S/t/n$i.txt"; done; sync -f "$T"
dz_fault "clone,write:$B.hold/0*:HOOK:-1;unlink:$B.hold/0*:0:0;rename:$B/t/*:KILL:1"; dz_start
mv "$S/t" "$Z/"; dz_gone 30 || dz_kill
dz_cut "$T"
grep 'power\|busy\|come back' "$DZ_WORK/notes" > "$DZ_WORK/notes.cut"; mv "$DZ_WORK/notes.cut" "$DZ_WORK/notes"
dz_fault; dz_start; dz_idle 20
