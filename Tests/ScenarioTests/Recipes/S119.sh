# A password-protected Office file is an OLE container.
. "${0%/*}/prelude.sh"
dz_conf allow=application/vnd.openxmlformats-officedocument.wordprocessingml.document; dz_start
/usr/bin/python3 -c 'import sys; h=bytearray(512); h[0:8]=bytes.fromhex("d0cf11e0a1b11ae1"); h[24:34]=bytes([62,0,3,0,254,255,9,0,6,0]); open(sys.argv[1],"wb").write(bytes(h)+b"\0"*2048)' "$Z/secret.docx"
dz_idle 1
