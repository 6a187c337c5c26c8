# Composed and decomposed accents are different names.
. "${0%/*}/prelude.sh"
dz_start
say c 1000 > "$Z/$(printf 'Am\303\251lie.txt')"; say d 2000 > "$Z/$(printf 'Ame\314\201lie.txt')"; say e 3000 > "$Z/$(printf '\360\237\223\204 plan.txt')"
dz_idle 3
