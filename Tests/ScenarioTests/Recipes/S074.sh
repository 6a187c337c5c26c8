# A sync tool creates the new name before it removes the old one.
. "${0%/*}/prelude.sh"
dz_start
pdf rn 6000 > "$Z/first.pdf"; sleep 1; ln "$Z/first.pdf" "$Z/second.pdf"; rm "$Z/first.pdf"
dz_idle 1
