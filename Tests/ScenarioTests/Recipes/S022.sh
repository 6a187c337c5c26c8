# The sender creates a marker for each file, before or after it.
. "${0%/*}/prelude.sh"
dz_conf marker=.done stalled=15; dz_start
say d1 20000 > "$Z/d1.csv"; sleep 6; dz_mark announced; : > "$Z/d1.csv.done"
: > "$Z/d2.csv.done"; sleep 4; say d2 30000 > "$Z/d2.csv"
say d3 1000 > "$Z/d3.csv"; : > "$Z/lonely.done"
dz_idle 2
