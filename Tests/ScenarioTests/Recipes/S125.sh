# HEIC and AVIF photos.
. "${0%/*}/prelude.sh"
dz_conf allow=image/heic,image/heif,image/avif; dz_start
printf '\0\0\0\024ftypheic\0\0\0\0mif1\0\0\0\010free' > "$Z/a.heic"; printf '\0\0\0\024ftypmif1\0\0\0\0heic\0\0\0\010free' > "$Z/b.heic"; printf '\0\0\0\024ftypavif\0\0\0\0mif1\0\0\0\010free' > "$Z/c.avif"; printf '\0\0\0\024ftypavis\0\0\0\0msf1\0\0\0\010free' > "$Z/d.avif"; dz_idle 4
