# A directory that arrives with a file in it cannot be listed at first.
. "${0%/*}/prelude.sh"
dz_conf quiet=0.3 rescan=300; dz_fault "list:$Z/d:5:2"; dz_start
mkdir "$S/d"; say n 3000 > "$S/d/n.txt"; dz_mark dropped; mv "$S/d" "$Z/"
dz_see 'cannotbelisted' 5; dz_cli status --json > "$DZ_WORK/meanwhile"
dz_cli explain "$Z/d/n.txt" > "$DZ_WORK/explained"; dz_cli explain "$Z/d" > "$DZ_WORK/explained.directory"
dz_receipts 1 15; dz_idle
