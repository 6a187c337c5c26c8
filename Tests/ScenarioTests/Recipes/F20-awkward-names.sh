# Names that mean something to a terminal, to the options of a program, or to readers of right-to-left scripts.
. "${0%/*}/prelude.sh"
dz_conf quiet=0.3; dz_start
i=0; for n in $'esc\e[31mred\a' -rf --help $'cr\rover' $'del\x7f' $'\u202egpj.exe' 'trailing ' $'e\u0301' $'\u00e9' $'\u2028' 'NUL' 'a:b'; do
  i=$((i+1)); say "$i" $((i*100)) > "$Z/$n"; done
dz_idle "$i"
{ dz_cli history; dz_cli status; dz_cli history --json; dz_cli status --json; cat "$DZ_WORK/daemon.log"; } > "$DZ_WORK/shown"
# There must be no escape sequences, bells, carriage returns, deletes or right-to-left characters.
LC_ALL=C grep -c -aP '[\x00-\x08\x0b-\x1f\x7f]|\xe2\x80\xae|\xe2\x80\xa8' "$DZ_WORK/shown" > "$DZ_WORK/raw"
