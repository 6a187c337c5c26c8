# The configuration changes while payloads are in hand: another box, then an invalid file, then no zone at all.
. "${0%/*}/prelude.sh"
dz_handler "[[ \$DROP_NAME == slow* ]] && { touch '$L/'\$DROP_NAME; sleep 2; }; accept"; dz_conf quiet=0.3; dz_start
reload() { dz_write_zone; dz_cli reload >> "$DZ_WORK/reloads" 2>&1; printf 'exit %s\n' $? >> "$DZ_WORK/reloads"; }
judged() { until [[ -e $L/$1 ]]; do sleep 0.02; done; }
say 1 3000 > "$Z/slow1"; judged slow1; dz_conf box=X; reload
say 2 3000 > "$Z/quick2"; dz_receipts 2
say 3 3000 > "$Z/slow3"; judged slow3; dz_conf Zone.Colour=red; reload; unset 'CONF[Zone.Colour]'
say 4 3000 > "$Z/quick4"; dz_receipts 4
say 5 3000 > "$Z/slow5"; judged slow5; rm "$DZ_CONFIG/zones/z.zone"; dz_cli reload; dz_receipts 5
say 6 3000 > "$Z/quick6"; sleep 1; reload; dz_idle 6
