# A reject cannot be renamed at first, although its reason file was already written.
. "${0%/*}/prelude.sh"
dz_conf quiet=0.3 allow=application/pdf; dz_fault "rename:$R/n.txt:5:1"; dz_start
say n 3000 > "$Z/n.txt"; dz_idle 1
