# The box is moved away for a while.
. "${0%/*}/prelude.sh"
dz_conf quiet=0.3; dz_start
mv "$B" "$B.away"; say n 3000 > "$Z/n.txt"; dz_see '"state":"blocked"'; [[ -e $B ]] && dz_note 'the box was created again'
mv "$B.away" "$B"; dz_idle 1
