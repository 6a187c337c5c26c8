# Names contain newlines, tabs, spaces, quotes, globs, formats and commands.
. "${0%/*}/prelude.sh"
dz_start
i=0; for n in $'a\nb.pdf' 'two  spaces.pdf' 'trail ' ' lead' $'tab\tx' 'z,7' "it's" '$(touch pwned)' '%s%n' 'back\slash' '*'; do i=$((i+1)); say "$i" $((i*100)) > "$Z/$n"; done; dz_idle 11
find / -xdev -name pwned -newer "$DZ_WORK/config" -not -path '/proc/*' 2>/dev/null > "$DZ_WORK/run-by-name"
