# A chain of directories is created, and a file is immediately dropped at its end.
. "${0%/*}/prelude.sh"
dz_start
for i in 1 2 3 4 5 6 7 8 9 10; do mkdir -p "$Z/a$i/b/c/d/e"; pdf "x$i" 3000 > "$Z/a$i/b/c/d/e/f.pdf"; done
dz_idle
