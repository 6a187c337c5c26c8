# The handler chooses destinations: upwards, absolute, with a zero byte, too long, empty, through a link, and a valid
# one.
. "${0%/*}/prelude.sh"
dz_conf quiet=0.3 Handler.Attempts=2; long=$(printf 'x%.0s' $(seq 300)); mkdir "$T/outside"; ln -s "$T/outside" "$B/link"
dz_handler "case \$DROP_NAME in
up) echo '{\"destination\":\"../outside\"}';; deep) echo '{\"destination\":\"a/../../outside\"}';; root) echo '{\"destination\":\"$T/outside\"}';;
zero) printf '%s\\n' '{\"name\":\"a\\u0000b\"}';; slash) echo '{\"name\":\"../outside/x\"}';; dots) echo '{\"name\":\"..\"}';; dot) echo '{\"name\":\".\"}';;
none) echo '{\"name\":\"\"}';; long) echo '{\"name\":\"$long\"}';; ours) echo '{\"name\":\".dropzone-01\"}';;
link) echo '{\"destination\":\"link\",\"name\":\"in\"}';; good) echo '{\"destination\":\"a/b\",\"name\":\"c\"}';; esac; accept"
dz_start
for n in up deep root zero slash dots dot none long ours link good; do say "$n" 500 > "$Z/$n"; done; dz_idle 12
find "$T/outside" -mindepth 1 > "$DZ_WORK/outside"; rm "$B/link"
