# Mail that begins with a header other than From.
. "${0%/*}/prelude.sh"
dz_conf allow=message/rfc822; dz_start
printf 'From: a@example.org\nSubject: x\n\nhi\n' > "$Z/a.eml"; printf 'MIME-Version: 1.0\nSubject: x\nFrom: a@example.org\n\nhi\n' > "$Z/b.eml"
printf 'X-Mozilla-Status: 0001\nSubject: x\nFrom: a@example.org\nContent-Type: text/html\n\n<html><body>hi</body></html>\n' > "$Z/c.eml"; printf '<html><p>no mail</p></html>' > "$Z/d.eml"; dz_idle 4
