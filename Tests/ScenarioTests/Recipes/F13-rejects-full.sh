# The rejects are on a separate file system, which is full for a while; the box is not full.
. "${0%/*}/prelude.sh"
mkdir "$R"; mount -t tmpfs -o size=64k,nr_inodes=6 tmpfs "$R" || dz_skip 'no mount'
dz_conf quiet=0.3 allow=application/pdf Zone.Rejects="$R"; dz_start
yes > "$R/filler" 2> /dev/null
say no 3000 > "$Z/no.txt"; dz_see '"state":"blocked"'; pdf yes 3000 > "$Z/yes.pdf"; dz_receipts 1; ls "$B" > "$DZ_WORK/early"
rm "$R/filler"; dz_idle 2
