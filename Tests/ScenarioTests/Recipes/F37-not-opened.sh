# There is no free descriptor when a directory is entered (STEP 1), or when it is listed again (STEP 2).
. "${0%/*}/prelude.sh"
dz_conf quiet=0.3 rescan=300
if ((STEP == 1)); then
  dz_fault "open:$Z/d:24:2"; dz_start
  mkdir "$S/d"; say n 3000 > "$S/d/n.txt"; dz_mark dropped; mv "$S/d" "$Z/"
else
  mkdir "$Z/d"; dz_fault "list:$Z/d:5:1;open:$Z/d:24:2"; dz_start; say n 3000 > "$Z/d/n.txt"; dz_mark dropped
fi
dz_receipts 1 15; dz_idle
