# A process that has a payload open writes to it after its verdict: before it gets its name, or while it is copied.
. "${0%/*}/prelude.sh"
dz_conf quiet=0.3 rescan=300 Handler.Attempts=3; BOX=${CONF[Zone.Box]}
cat > "$DZ_WORK/hook" <<END
#!/bin/bash
mkdir "$DZ_WORK/changed" 2> /dev/null || exit
for held in "$B.hold"/0* "$Z.hold"/0*; do
  [[ -e \$held ]] || continue
  case $HOW in
    longer) printf more >> "\$held";;
    other) printf other | dd of="\$held" conv=notrunc status=none;;
  esac
done
END
chmod 755 "$DZ_WORK/hook"
case $WHEN in
  blocked) dz_fault "rename:$BOX/*:5:1";;
  copied) dz_fault "fsync:$BOX/.dropzone-*:HOOK:-1";;
esac
dz_start
say v 10000 > "$Z/v.txt"
if [[ $WHEN == blocked ]]; then dz_see '"state":"blocked"'; "$DZ_WORK/hook"; fi
dz_idle 1
