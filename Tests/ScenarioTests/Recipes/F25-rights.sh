# Members of a group drop their files. The daemon is root, a member of the group, or that with the capabilities of the
# service.
. "${0%/*}/prelude.sh"
daemon=64990 sender=64991 group=64999
dz_conf quiet=0.3; box=${CONF[Zone.Box]}; mkdir -p "$box.rejects"
chmod 755 "$DZ_WORK" "$T" "${X%/box}"; chown -R "$daemon" "$DZ_WORK"; chown "$daemon" "$DZ_CONFIG"
for place in "$Z" "$box" "$box.rejects"; do chown "0:$group" "$place"; chmod 2770 "$place"; done
chown 0:0 "$T"
as_sender() { setpriv --reuid="$sender" --regid="$sender" --groups="$group" bash -c "$1"; }
capabilities=+dac_override,+fowner,+chown,+lease
case ${RIGHTS:=root} in
  group) DZ_COMMAND=(setpriv --reuid="$daemon" --regid="$daemon" --groups="$group" --bounding-set=-all --inh-caps=-all);;
  capabilities) DZ_COMMAND=(setpriv --reuid="$daemon" --regid="$daemon" --groups="$group" --inh-caps="-all,$capabilities"
    --ambient-caps="$capabilities");;
esac
dz_write_zone
"${DZ_COMMAND[@]}" "$DZ_BIN/dropzoned" --check --config "$DZ_CONFIG" --state "$DZ_STATE" > "$DZ_WORK/check" 2>&1
dz_start
as_sender "cd '$Z'; . '$RECIPES/payloads.sh'; umask 002; say open 3000 > open.txt; umask 022; say plain 3000 > plain.txt
  say run 3000 > run.sh; chmod 755 run.sh; mkdir dir; say in 3000 > dir/in.txt; umask 077; say private 3000 > private.txt"
case $RIGHTS in group) dz_receipts 3; dz_see '"waiting":"unreadable"'; dz_see '"waiting":"cannot-take"';; *) dz_receipts 5;; esac
dz_cli wait --timeout 20s || dz_note 'wait does not ignore files that cannot be taken'
