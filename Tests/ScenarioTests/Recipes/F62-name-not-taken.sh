# The file systems of the box and the rejects do not allow names that contain "bad", or links.
. "${0%/*}/prelude.sh"
dz_conf quiet=0.3; BOX=${CONF[Zone.Box]}; P="@($BOX|$BOX.rejects)"
dz_fault "rename,mkdir:$P/*bad*:22:-1;link:$P/*:1:-1"; dz_start
say no 3000 > "$Z/bad.txt"; mkdir "$Z/bad"; say no2 3000 > "$Z/bad/n.txt"; dz_receipts 2 20; say ok 3000 > "$Z/ok.txt"; dz_idle 3
