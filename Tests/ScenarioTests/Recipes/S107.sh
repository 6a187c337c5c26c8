# The box allows shorter names than the zone, and the zone contains a path that is longer than paths can be.
. "${0%/*}/prelude.sh"
dz_fault "open,rename,link,mkdir:$B/*:36:-1:143"; dz_start
n=$(printf 'w%.0s' $(seq 180)).pdf; pdf w 3000 > "$Z/$n"
/usr/bin/python3 - "$Z" <<'P'
import os,sys
os.chdir(sys.argv[1])
for i in range(25): os.mkdir("d"*200); os.chdir("d"*200)
open("deep.txt","w").write("deep\n"*100)
P
dz_idle 1
