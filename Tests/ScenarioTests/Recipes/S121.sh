# The forms of JSON.
. "${0%/*}/prelude.sh"
dz_conf allow=application/json; dz_start
printf '{"a":[],"b":{}}' > "$Z/a.json"; printf '[]' > "$Z/b.json"; printf '{"a":1}\n{"b":2}\n' > "$Z/c.json"; printf '\357\273\277{"a":1}' > "$Z/bom.json"; printf 'not json' > "$Z/d.json"; dz_idle 5
