# The daemon dies with a payload in hand whose location has the maximum length.
. "${0%/*}/prelude.sh"
dz_conf quiet=0.3
case $WHEN in
  asked) dz_handler '[[ -e $L/go ]] && accept; kill -KILL $PPID; sleep 2';;
  claiming) dz_fault "take:*/n.txt:KILL:1";;
  placed) dz_fault "rename:*/n.txt:DIED:1";;
esac
dz_start
/usr/bin/python3 -c 'import os, sys
os.chdir(sys.argv[1])
for level in range(63): name = "0" * (63 if level else 113); os.mkdir(name); os.chdir(name)
open("n.txt", "w").write("deep\n")' "$Z"
dz_gone 20 || dz_kill; touch "$L/go"; dz_fault; dz_start; dz_idle 1
