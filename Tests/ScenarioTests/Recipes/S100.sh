# A directory may be listed but not entered. The daemon has no special rights.
. "${0%/*}/prelude.sh"
mkdir "$Z/locked"; pdf in 3000 > "$Z/locked/in.pdf"; chmod 644 "$Z/locked"
dz_start; pdf free 3000 > "$Z/free.pdf"; dz_idle 1; dz_cli status --json > "$DZ_WORK/status.locked.json"
chmod 755 "$Z/locked"; dz_idle 2
