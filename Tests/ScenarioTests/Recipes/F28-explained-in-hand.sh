# A handler dies at its first two attempts; in the meantime, a client asks about the file.
. "${0%/*}/prelude.sh"
dz_conf quiet=0.3; dz_handler '[[ $DROP_ATTEMPT == 3 ]] || kill -KILL $$; accept'; dz_start
say n 3000 > "$Z/n.txt"
for _ in $(seq 100); do
  dz_cli explain --json "$Z/n.txt" > "$DZ_WORK/explained" && grep -q 'signal 9' "$DZ_WORK/explained" && break
  sleep 0.05
done
dz_idle 1
