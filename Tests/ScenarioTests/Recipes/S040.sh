# A directory and its subdirectory are renamed before a file is dropped below both.
. "${0%/*}/prelude.sh"
mkdir -p "$Z/a1/a2/a3/a4"; dz_start
mv "$Z/a1" "$Z/b1"; mv "$Z/b1/a2" "$Z/b1/b2"
pdf deep 4000 > "$Z/b1/b2/a3/a4/new.pdf"
dz_idle
