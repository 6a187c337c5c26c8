# A file is immutable for a while.
. "${0%/*}/prelude.sh"
pdf imm 4000 > "$Z/imm.pdf"; chattr +i "$Z/imm.pdf" || dz_skip 'no immutable files here'
trap 'chattr -i "$Z/imm.pdf" 2>/dev/null; dz_finish' EXIT
dz_start; pdf b 3000 > "$Z/b.pdf"; dz_mark dropped; dz_receipts 1 20; dz_see '"waiting":"cannot-take"' 20; dz_idle
dz_cli status --json > "$DZ_WORK/status.immutable.json"; dz_list box "$B"; dz_list boxhold "$B.hold"
lsattr "$Z/imm.pdf" > "$DZ_WORK/attributes"
chattr -i "$Z/imm.pdf"; dz_idle 2
