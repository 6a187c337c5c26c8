# A deleted file that is still open on NFS is renamed to a .nfs name.
. "${0%/*}/prelude.sh"
dz_start
pdf n 5000 > "$Z/n.pdf"; mv "$Z/n.pdf" "$Z/.nfs00000000000188e1000031a7"; sleep 4; rm "$Z/.nfs00000000000188e1000031a7"
dz_idle
