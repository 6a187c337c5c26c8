# A reject cannot be renamed at first, beside the reason that was written for it.
. "${0%/*}/prelude.sh"
dz_conf quiet=0.3 allow=application/pdf; dz_fault "rename:$R/n.txt:5:1"; dz_start
say n 3000 > "$Z/n.txt"; dz_idle 1
