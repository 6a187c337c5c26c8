# The daemon has no special rights, and may not read another user's file until its owner allows this.
. "${0%/*}/prelude.sh"
dz_conf quiet=0.3; chmod 777 "$Z"; chown -R 65534:65534 "$Z" "$B" "$T" "$DZ_CONFIG"; chmod 755 "$DZ_WORK"; chown 65534 "$DZ_WORK"
DZ_COMMAND=(setpriv --reuid=65534 --regid=65534 --clear-groups); dz_start
( umask 077; say n 3000 > "$Z/n.txt" ); dz_see '"waiting":"unreadable"'
dz_cli status --json > "$DZ_WORK/meanwhile"; dz_cli wait --timeout 5s || dz_note 'wait does not ignore an unreadable file'
chmod 644 "$Z/n.txt"; dz_idle 1
