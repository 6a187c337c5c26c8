# A file is written to after its copy is made and before the claim is complete.
. "${0%/*}/prelude.sh"
dz_conf quiet=0.3 rescan=300 Delivery.Operation=copy
cat > "$DZ_WORK/hook" <<END
#!/bin/bash
mkdir "$DZ_WORK/changed" 2> /dev/null && printf more >> "$Z/n.txt" && sleep 0.5
END
chmod 755 "$DZ_WORK/hook"
dz_fault "fsync:$B.hold:HOOK:-1"; dz_start
say n 3000 > "$Z/n.txt"; dz_receipts 2 20
