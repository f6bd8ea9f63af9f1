#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# A valid call of every procedure by every entry point that a library exports.
#
#   run.sh MODE...     MODE is a family or a pair (tests/families.bash)
#
# Prints nothing but failures; results are in $BUILD/tests/complete/MODE. As a host, a family that no MPI of this machine
# is of has the pair in its place that has it for its application.
set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
top=$(cd "$here/../.." && pwd)
: "${BUILD:=$top/build}" "${PYTHON:=python3}" "${CC:=gcc}"
BUILD=$(realpath -m "$BUILD")
results=$BUILD/tests/complete
parts=2
. "$top/tests/components.bash"
export OMPI_MCA_btl=self
choose_windows

# The family's program, linked to the library of a pair, whose soname is the native one's, too.
build() {
    local family=$1 library
    library=$BUILD/lib/mpi-adapter/$(pair_modes | sed -n "/^$family-to-/{p;q}")/$(family_fact "$family" soname)
    mkdir -p "$results"
    "$PYTHON" "$top/gen/complete.py" --tables "$top/abi-tables" --family "$family" \
        --values "$top/tests/sweep/values" "$here/values" --output "$results/$family.c" &&
        make -s -C "$top" BUILD="$BUILD" "$BUILD/include/$family/mpi.h" >&2 &&
        "$CC" -std=gnu11 -O0 -w -fPIC -I "$BUILD/include/$family" -I "$here" "$results/$family.c" "$here/complete.c" \
            "$top/tests/sweep/objects.c" -o "$results/$family.new" "$library" -Wl,-z,lazy -lgfortran -ldl &&
        mv "$results/$family.new" "$results/$family.program"
}

# stack_of PAIR: it, and what stands in for its host.
stack_of() {
    echo "$1"
    is_native "${1#*-to-}" || pair_modes | sed -n "/^${1#*-to-}-to-/p" | grep -v -- "-to-${1%-to-*}$" | sed 1q
}

# libraries_of MODE: the files of its libraries, those of a pair or those installed.
libraries_of() {
    case $1 in
    *-to-*) find "$BUILD/lib/mpi-adapter/$1/" -maxdepth 1 -type f -name '*.so.*' | sort ;;
    *) ldconfig -p | sed -n 's/.* => //p' | grep -E "/($(family_fact "$1" needs | tr ' ' '|'))$" | sort -u ;;
    esac
}

# part MODE NUMBER LIBRARIES: calls of a part of the procedures, in a folder of its own.
part() {
    local family=${1%%-to-*} folder
    folder=$(mktemp -d)
    (cd "$folder" && SWEEP_FOLDER=$folder LD_LIBRARY_PATH=$3${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} \
        "$results/$family.program" "$results/$1.list" "$2" "$parts") > "$results/$1.part$2" ||
        echo "$1: the program ends with $?"
    rm -rf "$folder"
}

run() {
    local mode=$1 paths='' number libraries
    mapfile -t libraries < <(libraries_of "$mode")
    "$PYTHON" "$here/symbols.py" "${mode%%-to-*}" "${libraries[@]}" > "$results/$mode.list" || return
    [[ $mode != *-to-* ]] || paths=$(stack_of "$mode" | sed "s|^|$BUILD/lib/mpi-adapter/|" | paste -sd:)
    for number in $(seq 0 $((parts - 1))); do
        part "$mode" "$number" "$paths" &
    done
    wait
    cat "$results/$mode".part? > "$results/$mode"
    rm -f "$results/$mode".part?
}

for mode; do
    build "${mode%%-to-*}" && run "$mode" || exit 1
done
