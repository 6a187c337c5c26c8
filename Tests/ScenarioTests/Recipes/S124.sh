# Audio in a container with a generic brand.
. "${0%/*}/prelude.sh"
dz_conf allow=audio/mp4; dz_start
printf '\0\0\0\024ftypM4A \0\0\0\0isom\0\0\0\010free' > "$Z/a.m4a"; printf '\0\0\0\024ftypisom\0\0\0\0M4A \0\0\0\010free' > "$Z/b.m4a"; printf '\0\0\0\024ftypisom\0\0\0\0mp42\0\0\0\010free' > "$Z/c.mp4"; dz_idle 3
