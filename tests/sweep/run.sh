#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# The sweep: every procedure, with each of its arguments bad in turn.
#
#   run.sh natives [TIMES]          the programs of both families on their own MPI
#   run.sh adapted PAIR [TIMES]     the application's program through a pair; then what differs
#
# A family that no MPI of this machine is of, the standard ABI, is compared with both natives; as a host, the pair
# that has it for its application stands in for it.
#
# Adapted, those calls are made that native MPIs come back from. One that hangs is tried once more, with
# patience, before it counts. Results are in $BUILD/tests/sweep.
set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
top=$(cd "$here/../.." && pwd)
: "${BUILD:=$top/build}" "${PYTHON:=python3}" "${CC:=gcc}"
BUILD=$(realpath -m "$BUILD")
results=$BUILD/tests/sweep
parts=4
. "$top/tests/components.bash"
export OMPI_MCA_btl=self
choose_windows

# The family's program: linked to the pair's library, whose soname is the native one's, too.
build() {
    local family=$1 library=$BUILD/lib/mpi-adapter/$2
    mkdir -p "$results"
    "$PYTHON" "$top/gen/sweep.py" --tables "$top/abi-tables" --family "$family" --values "$here/values" \
        --output "$results/$family.c" &&
        make -s -C "$top" BUILD="$BUILD" "$BUILD/include/$family/mpi.h" >&2 &&
        "$CC" -std=gnu11 -O0 -w -fPIC -I "$BUILD/include/$family" -I "$here" "$results/$family.c" "$here/sweep.c" "$here/objects.c" \
            -o "$results/$family.new" "$library" -ldl && mv "$results/$family.new" "$results/$family"
}

# part FAMILY LIBRARIES RESULT PART [CALLS]: the calls of a part of the procedures, in a folder of its own.
part() {
    local program=$results/$1 libraries=$2 result=$3.part$4 number=$4 folder
    shift 4
    folder=$(mktemp -d)
    (cd "$folder" && SWEEP_FOLDER=$folder LD_LIBRARY_PATH=$libraries${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} \
        "$program" "$number" "$parts" "$@") > "$result" 2> "$result.stderr" ||
        { echo "$program ends with $?"; cat "$result.stderr"; }
    rm -rf "$folder"
}

# sweep FAMILY LIBRARIES RESULT [CALLS]: all of them, side by side, for some sleep until they are ended.
sweep() {
    local number
    for number in $(seq 0 $((parts - 1))); do
        part "$1" "$2" "$3" "$number" "${@:4}" &
    done
    wait
    cat "$3".part? > "$3"
    rm "$3".part? "$3".part?.stderr
}

# is_native FAMILY
is_native() { [ -e "$results/$1.1" ]; }

# stack_of PAIR: it, and what stands in for its host.
stack_of() {
    echo "$1"
    is_native "${1#*-to-}" || sed -n "/^${1#*-to-}-to-/p" "$top/abi-tables/pairs" | grep -v -- "-to-${1%-to-*}$" | sed 1q
}

# natives_of PAIR: the results that it is compared with, those of the program's own family first.
natives_of() {
    local own=${1%-to-*} host
    host=$(stack_of "$1" | sed -n '$s/.*-to-//p')
    if is_native "$own"; then
        echo "$results/$own.1" "$results/$host.1"
    else
        for own in openmpi mpich; do
            [ "$own" = "$host" ] || echo "$results/$host.1" "$results/$own.1"
        done
    fi
}

# compare PAIR TIMES [OPTION...]
compare() {
    local pair=$1 times=$2 adapted natives
    shift 2
    mapfile -t adapted < <(seq -f "$results/$pair.%g" "$times")
    read -ra natives < <(natives_of "$pair")
    "$PYTHON" "$here/compare.py" "$@" "$pair" "$here/differences.tsv" "${natives[@]}" "${adapted[@]}"
}

natives() {
    for number in $(seq "${1:-1}"); do
        sweep openmpi "" "$results/openmpi.$number"
        sweep mpich "" "$results/mpich.$number"
    done
    "$PYTHON" "$here/compare.py" --valid "$here/values" "$results/openmpi.1" "$results/mpich.1"
}

adapted() {
    local pair=$1 times=${2:-1} own=${1%%-to-*} libraries number
    libraries=$(stack_of "$pair" | sed "s|^|$BUILD/lib/mpi-adapter/|" | paste -sd:)
    compare "$pair" 0 --wanted > "$results/$pair.calls" || return
    for number in $(seq "$times"); do
        sweep "$own" "$libraries" "$results/$pair.$number" "$results/$pair.calls"
    done
    : > "$results/$pair.again"
    compare "$pair" "$times" --suspects > "$results/$pair.suspects" || return
    [ ! -s "$results/$pair.suspects" ] ||
        SWEEP_SECONDS=20 sweep "$own" "$libraries" "$results/$pair.again" "$results/$pair.suspects"
    compare "$pair" "$times" --again "$results/$pair.again"
}

build openmpi openmpi-to-mpich/libmpi.so.40 && build mpich mpich-to-openmpi/libmpich.so.12 &&
    build mpiabi mpiabi-to-mpich/libmpi_abi.so.1 || exit 1
"$@"
