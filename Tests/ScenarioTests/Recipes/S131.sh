# Signatures that are far from the start, and three gigabytes of nothing.
. "${0%/*}/prelude.sh"
dz_conf allow=application/dicom,application/x-cd-image,application/x-tar; say member 700 > "$S/member"; dz_start
{ head -c 128 /dev/zero; printf 'DICM\2\0\0\0UL\4\0'; head -c 40 /dev/zero; } > "$Z/a.dcm"; { head -c 32768 /dev/zero; printf '\1CD001\1'; head -c 8000 /dev/zero; } > "$Z/b.iso"; tar -C "$S" -cf "$Z/c.tar" .; truncate -s 3G "$Z/d.raw"; dz_idle 4
