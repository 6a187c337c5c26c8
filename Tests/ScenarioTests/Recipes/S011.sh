# A writer stores through a memory map; its descriptor was closed long ago.
. "${0%/*}/prelude.sh"
dz_start
/usr/bin/python3 - "$Z/mm.bin" <<'P'
import os,sys,mmap,time
fd=os.open(sys.argv[1],os.O_CREAT|os.O_RDWR,0o644); os.ftruncate(fd,8192)
m=mmap.mmap(fd,8192); os.close(fd)
for i in range(4): time.sleep(1.5); m[i*4:i*4+4]=b'DATA'; m.flush()
m.close()
P
dz_mark unmapped
dz_idle
