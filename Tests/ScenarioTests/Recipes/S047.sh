# The box is a mount point that is mounted only later.
. "${0%/*}/prelude.sh"
dz_conf require-mount=box; dz_start
pdf early 4000 > "$Z/early.pdf"; dz_see '"state":"unavailable"' 5; sleep 4; dz_list early "$Z"
mount -t tmpfs tmpfs "$B" || dz_skip 'no mount'
dz_idle 1; dz_list mounted "$B"
dz_cli history --json > "$DZ_WORK/history.jsonl"; dz_cli status --json > "$DZ_WORK/status.json"; dz_stop
umount "$B"; : > "$DZ_WORK/dead"
