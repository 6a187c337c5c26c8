# The zone is changed repeatedly while bursts are being claimed.
. "${0%/*}/prelude.sh"
unset 'CONF[Handler.OnDrop]'; dz_conf quiet=0.3; dz_start
for round in {1..8}; do
  mkdir "$S/$round"; for i in {1..100}; do say "n$round-$i" 300 > "$S/$round/n$round-$i.txt"; done
done
for round in {1..8}; do
  dz_conf "Staging.Quiet=$((300 + round))ms"; dz_write_zone
  /usr/bin/python3 -c 'import os,sys
for name in os.listdir(sys.argv[1]): os.rename(sys.argv[1]+"/"+name, sys.argv[2]+"/"+name)' "$S/$round" "$Z"
  kill -HUP "$DZ_PID"; sleep 0.05
done
dz_idle 800
