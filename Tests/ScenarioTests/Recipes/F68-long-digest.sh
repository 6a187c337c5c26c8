# A payload takes minutes to be compared, hashed again or copied, and others arrive in the meantime.
. "${0%/*}/prelude.sh"
dz_conf quiet=0.3; big=(1)
case $WHAT in
  identical) dz_conf Delivery.Collision=keep-identical Handler.OnDrop=; truncate -s 1T "$B/1.txt";;
  changed)
    dz_conf Handler.Changes=yes Delivery.Digest=yes
    dz_handler '[[ $DROP_NAME == 1.txt ]] && truncate -s 1T "$1"; accept';;
  sparse) dz_conf Handler.OnDrop=; big=({1..6});;
  long)
    dz_conf Handler.OnDrop=; big=({1..6})
    cat > "$DZ_WORK/hook" <<END
#!/bin/bash
(( \$(stat -c %s "$Z.hold/\${2##*/.dropzone-}".txt) < 1000000000 )) || until [[ -e $DZ_WORK/go ]]; do sleep 0.05; done
END
    chmod 755 "$DZ_WORK/hook"; dz_fault "clone:$X/.dropzone-*:HOOK:-1";;
esac
dz_start
for i in "${big[@]}"; do
  if [[ $WHAT == changed ]]; then say big 3000 > "$S/$i.txt"; else truncate -s 1T "$S/$i.txt"; fi
done
mv "$S"/*.txt "$Z/"
[[ $WHAT == sparse ]] || { dz_see "\"inHand\":${#big[@]}" 20; sleep 1.5; }
dz_mark second; say n 3000 > "$Z/n.txt"
case $WHAT in
  identical | changed) dz_receipts 1 20; dz_cli history --json > "$DZ_WORK/early"; dz_stop;;
  *) dz_receipts 1 20; touch "$DZ_WORK/go"; dz_idle 7;;
esac
rm -f "$B.hold"/0* "$B/1.txt" "$X"/?.txt
