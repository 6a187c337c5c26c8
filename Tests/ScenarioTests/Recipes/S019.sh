# A program opens the finished file for reading and writing again and again, without writing.
. "${0%/*}/prelude.sh"
dz_start
pdf idx 6000 > "$Z/idx.pdf"; dz_mark dropped
/usr/bin/python3 - "$Z/idx.pdf" <<'P'
import os,sys,time
for i in range(15):
    try: os.close(os.open(sys.argv[1],os.O_RDWR))
    except FileNotFoundError: break
    time.sleep(1.5)
P
dz_mark opened; dz_idle
