# Many files are copied together while a big one is being copied.
. "${0%/*}/prelude.sh"
dz_conf quiet=0.3 Delivery.Operation=copy Handler.OnDrop=
cat > "$DZ_WORK/hook" <<END
#!/bin/bash
mkdir "$DZ_WORK/begun" 2> /dev/null && until [[ -e $DZ_WORK/go ]]; do sleep 0.02; done
END
chmod 755 "$DZ_WORK/hook"; dz_fault "clone:$B.hold/0*:HOOK:-1;fsync:$B.hold/0*:0:0"; dz_start
say big 20000000 > "$S/big"; mv "$S/big" "$Z/"; until [[ -e $DZ_WORK/begun ]]; do sleep 0.02; done
mkdir "$S/t"; for i in {1..20}; do say "n$i" 3000 > "$S/t/n$i.txt"; done; mv "$S/t" "$Z/"; dz_receipts 20 20
grep -c '^fsync' "$DZ_WORK/faults" > "$DZ_WORK/synced"; touch "$DZ_WORK/go"; dz_idle 21
