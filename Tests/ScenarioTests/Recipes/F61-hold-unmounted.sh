# The file system of zone, hold and box is unmounted while a payload waits for another attempt, and comes back.
. "${0%/*}/prelude.sh"
dz_disk ext4 "$T"; mkdir "$Z" "$B" "$S"
dz_handler "((DROP_ATTEMPT == 1)) && kill -KILL \$\$; [[ -e \$1 ]] || reject 'nothing is there'; accept"
dz_conf quiet=0.3 Handler.Attempts=9; dz_start
say n 3000 > "$Z/n.txt"
until grep -q 'waits in the hold' "$DZ_WORK/daemon.log"; do sleep 0.02; done
umount "$T" || dz_note 'the file system is busy'
until (($(grep -c 'waits in the hold' "$DZ_WORK/daemon.log") > 2)) || (($(dz_cli history --json | wc -l) > 0)); do sleep 0.1; done
dz_cli history --json > "$DZ_WORK/early"; mount -o loop "$DZ_WORK/t.img" "$T"; mkdir -p "$L"
dz_idle 1
