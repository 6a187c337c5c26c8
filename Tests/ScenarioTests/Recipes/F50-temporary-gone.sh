# An editor writes its file beside a temporary file, which it removes or renames away much later.
. "${0%/*}/prelude.sh"
dz_conf quiet=0.3 rescan=300; dz_start
: > "$Z/.x.txt.swp"; say x 3000 > "$Z/x.txt"; dz_see '"location":"x.txt"'
: > "$Z/~\$y.odt"; say y 3000 > "$Z/y.odt"; dz_see '"location":"y.odt"'
sleep 2; dz_mark removed; rm "$Z/.x.txt.swp"; mv "$Z/~\$y.odt" "$S/"
dz_receipts 2 15; dz_idle
