# The box ignores the case of names.
. "${0%/*}/prelude.sh"
mkcasebox || dz_skip 'this kernel has no case-insensitive file system'
dz_conf box=C; dz_start
say up 1000 > "$Z/Report.TXT"; say low 2000 > "$Z/report.txt"; say mix 3000 > "$Z/rePort.txt"; dz_idle 3
