#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# A valid call of every procedure by every entry point that a library exports.
#
#   run.sh [MODE...]     MODE is a family, a pair or a chain of them (tests/families.bash); without one, the programs of all
#                        families are built, and no more
#
# Prints nothing but failures; results are in $RESULTS/MODE, by default in $BUILD/tests/calls/valid.
set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
name=complete
. "$here/../generated.bash"
parts=2
: "${TEST_TIMEOUT:=120}"

# libraries_of MODE: the files of its libraries, those of the program's pair or those installed.
libraries_of() {
    case $1 in
    *-to-*) find "$BUILD/lib/mpi-adapter/$(pairs_of "$1" | sed -n 1p)/" -maxdepth 1 -type f -name '*.so.*' | sort ;;
    *) ldconfig -p | sed -n 's/.* => //p' | grep -E "/($(family_fact "$1" needs | tr ' ' '|'))$" | sort -u ;;
    esac
}

# part MODE NUMBER: calls of a part of the procedures, in a folder of its own.
part() {
    local mode=$1 number=$2 folder settings
    folder=$(mktemp -d)
    mapfile -t settings < <(paths_of "$mode")
    (cd "$folder" && env "${settings[@]}" SWEEP_FOLDER="$folder" \
        "$programs/$(family_of "$mode").program" "$results/$mode.list" "$number" "$parts") > "$results/$mode.part$number" ||
        echo "$mode: the program ends with $?"
    rm -rf "$folder"
}

# by_two MODE: calls that two processes make at the same time, each to the other.
by_two() {
    local settings
    mapfile -t settings < <(paths_of "$1")
    (
        . "$top/tests/components.bash"
        start_ranks "$(host_of "$1")" 2 "${settings[@]}" -- \
            "$programs/$(family_of "$1").program" "$results/$1.list" by-two
    ) > "$results/$1.partners" 2> "$results/$1.stderr" || { echo "$1: two processes end with $?"; cat "$results/$1.stderr"; }
}

run() {
    local mode=$1 number libraries
    mapfile -t libraries < <(libraries_of "$mode")
    "$PYTHON" "$here/symbols.py" "$(family_of "$mode")" "${libraries[@]}" > "$results/$mode.list" || return
    for number in $(seq 0 $((parts - 1))); do
        part "$mode" "$number" &
    done
    by_two "$mode" &
    wait
    cat "$results/$mode".part? "$results/$mode.partners" > "$results/$mode"
    rm -f "$results/$mode".part? "$results/$mode".partners "$results/$mode".stderr
}

build() { build_calls "$1" "$here/../values $here/values" -lgfortran; }

mkdir -p "$results"
for mode; do
    build "$(family_of "$mode")" && run "$mode" || exit 1
done
[ $# -gt 0 ] || for family in $(native_modes); do
    build "$family" || exit 1
done
