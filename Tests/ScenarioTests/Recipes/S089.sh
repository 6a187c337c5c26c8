# The dropped file has another hard link outside the zone.
. "${0%/*}/prelude.sh"
pdf seed 8000 > "$S/seed.pdf"; touch -d 2020-02-02 "$S/seed.pdf"; cp -p "$S/seed.pdf" "$L/ref"; ln "$S/seed.pdf" "$Z/seed.pdf"; dz_start; dz_idle 1
