# A file is renamed from a temporary name to a final name long after it was written.
. "${0%/*}/prelude.sh"
dz_start
say z 30000 > "$Z/part.zip.part"; say q 30000 > "$Z/scan.pd~"; sleep 3
mv "$Z/part.zip.part" "$Z/part.zip"; mv "$Z/scan.pd~" "$Z/scan.pdf"
dz_idle
