# Something opens the finished file read-write again and again without writing.
. "${0%/*}/prelude.sh"
dz_start
pdf idx 6000 > "$Z/idx.pdf"; dz_mark dropped
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do
  [[ -e $Z/idx.pdf ]] || break
  exec 3<>"$Z/idx.pdf"; exec 3>&-; sleep 1.5
done
dz_mark opened; dz_idle
