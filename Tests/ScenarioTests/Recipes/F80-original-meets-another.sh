# The handler turns moves into copies; while one file is copied, another one with its name arrives and takes the same
# path.
. "${0%/*}/prelude.sh"
dz_conf quiet=0.3 rescan=1 Handler.Workers=2
dz_handler 'printf "{\"operation\":\"copy\"}\n"; accept'
cat > "$DZ_WORK/hook" <<END
#!/bin/bash
mkdir "$DZ_WORK/begun" 2> /dev/null || exit 0
mv "$S/n.txt" "$Z/n.txt"
for _ in {1..200}; do [[ -e $B/n.txt && -e $Z/n.txt ]] && break; sleep 0.05; done; sleep 1
END
chmod 755 "$DZ_WORK/hook"; dz_fault "open:$B/.dropzone-0*:HOOK:-1"; dz_start
say m 3000 > "$S/n.txt"; say n 3000 > "$Z/n.txt"; dz_idle 2; sleep 3; dz_idle
