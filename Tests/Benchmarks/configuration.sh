#!/bin/bash
# Measures how much a configuration closure slows the flow. Stages 10,000 files at once, alternately in a zone without a
# configuration and in one whose configuration is called for each file.
#
#   Tests/Benchmarks/configuration.sh [FILES [ROUNDS]]      DZ_BIN is the directory of the built programs
set -eu
cd "$(dirname "$(realpath "$0")")/../.."
bin=$(realpath "${DZ_BIN:-.build/release}")
files=${1:-10000}
rounds=${2:-3}
work=$(mktemp -d "${TMPDIR:-/tmp}/dropzone-benchmark.XXXXXX")
trap 'rm -rf --one-file-system -- "$work"' EXIT

# Prints the milliseconds from the first file in the zone to the last receipt, and the milliseconds of processor time.
round() {
  local root=$work/$1.$2
  mkdir -p "$root/drop" "$root/new"
  (cd "$root/new" && seq "$files" | while read -r n; do echo "line $n of a text" > "$n.txt"; done)
  "$bin/TestDaemon" --mode "$1" --root "$root" --state "$root/state" --socket "$root/sock" 2> "$root/log" &
  local daemon=$!
  until "$bin/dropzone" --socket "$root/sock" status > /dev/null 2>&1; do sleep 0.05; done
  local start end
  start=$(date +%s%N)
  mv "$root/new" "$root/drop/new"
  "$bin/dropzone" --socket "$root/sock" wait
  end=$(date +%s%N)
  # Columns 14 and 15 of proc(5): ticks in user and kernel mode.
  local ticks box
  ticks=$(awk '{print $14 + $15}' "/proc/$daemon/stat")
  box=$(find "$root/box" -type f | wc -l)
  kill "$daemon"
  wait "$daemon" || true
  [[ $box -eq $files ]] || { echo "only $box of $files arrived" >&2; exit 1; }
  echo "$(((end - start) / 1000000)) $((ticks * 1000 / $(getconf CLK_TCK)))"
  rm -rf -- "$root"
}

declare -A times cpus
for ((n = 0; n < rounds; n++)); do
  for mode in plain cheap; do
    read -r ms cpu <<< "$(round "$mode" "$n")"
    times[$mode]+="$ms "
    cpus[$mode]+="$cpu "
    echo "$mode: $ms ms, $cpu ms of processor time"
  done
done
median() { printf '%s\n' $1 | sort -n | sed -n "$(((rounds + 1) / 2))p"; }
plain=$(median "${times[plain]}")
cheap=$(median "${times[cheap]}")
echo "with a configuration: $cheap ms, without: $plain ms, ratio $((cheap * 100 / plain))/100"
echo "processor time with a configuration: $(median "${cpus[cheap]}") ms, without: $(median "${cpus[plain]}") ms"
