# Ignore patterns are globs over a name; one that matches every name is refused.
. "${0%/*}/prelude.sh"
dz_conf 'ignore=["._*",".*"]'; dz_start
pdf g 5000 > "$Z/invoice.pdf"; pdf h 5000 > "$Z/.hidden.pdf"
dz_idle
dz_cli history --json > "$DZ_WORK/history.jsonl"; dz_cli status --json > "$DZ_WORK/status.json"; dz_stop
dz_conf 'ignore=["*"]'; dz_start || printf '%s\n' "$DZ_EXIT" > "$DZ_WORK/refused"
: > "$DZ_WORK/dead"
