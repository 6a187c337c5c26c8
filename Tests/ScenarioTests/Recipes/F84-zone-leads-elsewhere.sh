# The zone's path leads elsewhere while the daemon runs: a link is changed, or a link replaces the directory.
. "${0%/*}/prelude.sh"
dz_conf quiet=0.3 rescan=1
mkdir "$T/other"; say other 3000 > "$T/other/other.txt"
if [[ $KIND == link ]]; then
  mkdir "$T/first"; rmdir "$Z"; ln -s first "$Z"; dz_start
  say a 3000 > "$Z/a.txt"; dz_receipts 1
  ln -sfn other "$Z"
else
  dz_start
  say a 3000 > "$Z/a.txt"; dz_receipts 1
  rmdir "$Z"; dz_see '"state":"unavailable"'
  ln -s other "$Z"
fi
dz_see '"state":"unavailable"' && dz_see 'reload'
sleep 2.5; ls "$T/other" > "$DZ_WORK/others"
if [[ ${THEN:-reload} == reload ]]; then
  dz_cli reload; dz_idle 2
else
  rm "$Z"; if [[ $KIND == link ]]; then ln -s first "$Z"; else mkdir "$Z"; fi
  say b 3000 > "$Z/b.txt"; dz_idle 2
fi
