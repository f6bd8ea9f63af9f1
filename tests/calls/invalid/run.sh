#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# The sweep: every procedure, with each of its arguments bad in turn.
#
#   run.sh natives [TIMES]          the programs of both families on their own MPI
#   run.sh adapted MODE [TIMES]     the application's program through a pair, or a chain of them; then what differs
#   run.sh by-turns MODE [TIMES]    the same, half of the calls if another mode has the others (turns_of in tests/families.bash)
#   run.sh outside MODE...          every procedure before MPI_Init and after MPI_Finalize, natively and through pairs: what
#                                   the program's own MPI comes back from the adapted program must; outside.tsv has what remains
#
# Programs of a family that no MPI of this machine is of, the standard ABI, are compared with both natives.
#
# Adapted, those calls are made that native MPIs come back from. One that hangs is tried once more, with
# patience, before it counts. Results are in $BUILD/tests/calls/invalid. Half of the procedures is tried, which have all kinds of
# parameters, and with LONG=yes all.
set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
name=sweep
. "$here/../generated.bash"
parts=4 share=(--part)
export SWEEP_SHORT=yes
[ -z "${LONG-}" ] || { unset SWEEP_SHORT; share=(); }

# part FAMILY LIBRARIES RESULT PART [CALLS]: the calls of a part of the procedures, in a folder of its own.
part() {
    local program=$programs/$1.program libraries=$2 result=$3.part$4 number=$4 folder
    shift 4
    folder=$(mktemp -d)
    (cd "$folder" && SWEEP_FOLDER=$folder LD_LIBRARY_PATH=$libraries${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} \
        "$program" "$number" "$parts" "$@") > "$result" 2> "$result.stderr" ||
        { echo "$program ends with $?"; cat "$result.stderr"; }
    rm -rf "$folder"
}

# sweep FAMILY LIBRARIES RESULT [CALLS]: all that are tried, side by side, for some sleep until they are ended.
sweep() {
    local number
    for ((number = 0; number < parts; number++)); do
        part "$1" "$2" "$3" "$number" "${@:4}" &
    done
    wait
    cat "$3".part? > "$3"
    rm "$3".part*
}

# natives_of MODE: the results that it is compared with, those of the program's own family first.
natives_of() {
    local own host
    own=$(family_of "$1") host=$(host_of "$1")
    if is_native "$own"; then
        echo "$results/$own.1" "$results/$host.1"
    else
        for own in openmpi mpich; do
            [ "$own" = "$host" ] || echo "$results/$host.1" "$results/$own.1"
        done
    fi
}

# outcomes_outside MODE: prints the file of the outcomes before and after.
outcomes_outside() {
    local mode=$1 own libraries when
    own=$(family_of "$mode")
    libraries=$([ "$mode" = "$own" ] || pairs_of "$mode" | sed "s|^|$BUILD/lib/mpi-adapter/|" | paste -sd:)
    for when in before after; do
        SWEEP_WHEN=$when sweep "$own" "$libraries" "$results/$mode.$when" >&2
    done
    cat "$results/$mode.before" "$results/$mode.after" > "$results/$mode.outside"
    echo "$results/$mode.outside"
}

outside() {
    local mode native failed=0
    for native in openmpi mpich; do
        build_calls "$native" "$here/../values" '' && outcomes_outside "$native" > /dev/null || return
    done
    for mode; do
        outside_of "$mode" || failed=1
    done
    return $failed
}

outside_of() {
    local mode=$1 natives
    build_calls "$(family_of "$mode")" "$here/../values" '' || return
    read -ra natives < <(natives_of "$mode")
    # Of two natives both must come back; a program's own MPI alone says what it may do.
    ! is_native "$(family_of "$mode")" || natives=("${natives[0]}" "${natives[0]}")
    natives=("${natives[@]/%.1/.outside}")
    # A call that ended one process in hundreds of runs is made once more.
    "$PYTHON" "$here/compare.py" "${share[@]}" --known "$mode" "$here/outside.tsv" "${natives[@]}" "$(outcomes_outside "$mode")" ||
        "$PYTHON" "$here/compare.py" "${share[@]}" --known "$mode" "$here/outside.tsv" "${natives[@]}" "$(outcomes_outside "$mode")"
}

# compare MODE TIMES [OPTION...]
compare() {
    local mode=$1 times=$2 adapted natives
    shift 2
    mapfile -t adapted < <(seq -f "$results/$mode.%g" "$times")
    read -ra natives < <(natives_of "$mode")
    "$PYTHON" "$here/compare.py" "${share[@]}" "$@" "$mode" "$here/differences.tsv" "${natives[@]}" "${adapted[@]}"
}

natives() {
    build_calls openmpi "$here/../values" '' && build_calls mpich "$here/../values" '' || return
    for number in $(seq "${1:-1}"); do
        sweep openmpi "" "$results/openmpi.$number"
        sweep mpich "" "$results/mpich.$number"
    done
    "$PYTHON" "$here/compare.py" "${share[@]}" --valid "$here/../values" "$results/openmpi.1" "$results/mpich.1"
}

adapted() {
    local mode=$1 times=${2:-1} own libraries number
    shift $(($# < 2 ? $# : 2))
    own=$(family_of "$mode")
    [ -e "$results/openmpi.1" ] && [ -e "$results/mpich.1" ] || natives 1 || return
    build_calls "$own" "$here/../values" '' || return
    libraries=$(pairs_of "$mode" | sed "s|^|$BUILD/lib/mpi-adapter/|" | paste -sd:)
    compare "$mode" 0 --wanted "$@" > "$results/$mode.calls" || return
    for number in $(seq "$times"); do
        sweep "$own" "$libraries" "$results/$mode.$number" "$results/$mode.calls"
    done
    : > "$results/$mode.again"
    compare "$mode" "$times" --suspects > "$results/$mode.suspects" || return
    [ ! -s "$results/$mode.suspects" ] ||
        SWEEP_SECONDS=20 sweep "$own" "$libraries" "$results/$mode.again" "$results/$mode.suspects"
    compare "$mode" "$times" --again "$results/$mode.again" "$@"
}

by-turns() {
    local turns number turn=()
    read -ra turns < <(turns_of "$1")
    for number in 0 1; do
        [ ${#turns[@]} -eq 0 ] || ! has_turn "$1" "$number" '' "${turns[@]}" || turn=(--turn "$number")
    done
    adapted "$1" "${2:-1}" "${turn[@]}"
}

"$@"
