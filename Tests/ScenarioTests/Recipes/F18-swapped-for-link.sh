# Each file is swapped right before another one of the calls that lead to its claim: for a link to a secret, or a pipe.
. "${0%/*}/prelude.sh"
dz_conf quiet=0.3; mkdir "$T/away"; say secret 7000 > "$S/secret"; chmod 600 "$S/secret"
# The name of each file says before which call it is swapped, and for what.
cat > "$DZ_WORK/hook" <<END
#!/bin/bash
name=\${2##*/}; nth=\${name%%-*}; kind=\${name#*-}
printf . >> "$L/\$name"
[[ \$(wc -c < "$L/\$name") == "\$nth" && \$2 == $Z/\$name ]] || exit 0
mv "\$2" "$T/away/\$name" || exit 0
case \$kind in link) ln -s "$S/secret" "\$2";; pipe) mkfifo "\$2";; hard) ln "$S/secret" "\$2";; esac
END
chmod 755 "$DZ_WORK/hook"
dz_fault "look,open,take:$Z/*-@(link|pipe):HOOK:-1"; dz_start
for i in $(seq 12); do for k in link pipe; do say "$i$k" 3000 > "$S/$i-$k"; mv "$S/$i-$k" "$Z/"; done; done
dz_idle; sleep 1; dz_idle
dz_list A "$T/away"; wc -c "$L"/*-* > "$DZ_WORK/calls"
