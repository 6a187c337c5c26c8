# A file is created without a name, and linked in while it is still being written.
. "${0%/*}/prelude.sh"
dz_start
/usr/bin/python3 - "$Z" <<'P'
import os,sys,ctypes,time
d=sys.argv[1]; c=ctypes.CDLL(None)
fd=os.open(d,os.O_TMPFILE|os.O_RDWR,0o644); os.write(fd,b'head')
c.linkat(-100,b'/proc/self/fd/%d'%fd,-100,(d+'/late.bin').encode(),0x400)
time.sleep(5); os.write(fd,b'tail'); os.close(fd)
P
dz_idle
