# Content on which versions of libmagic differ.
. "${0%/*}/prelude.sh"
dz_conf allow=text/plain; dz_start
printf '000000000000000000000' > "$Z/zeros.txt"; head -c 4096 /dev/zero > "$Z/nul.bin"; dz_idle 2
