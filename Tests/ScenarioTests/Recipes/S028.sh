# macOS creates companion files beside the file.
. "${0%/*}/prelude.sh"
dz_start
pdf m 7000 > "$Z/a.pdf"; printf '\0\5\26\7\0\2\0\0Mac OS X' > "$Z/._a.pdf"; say s 6148 > "$Z/.DS_Store"; : > "$Z/.localized"
dz_idle
