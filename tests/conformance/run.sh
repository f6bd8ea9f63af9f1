#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# The programs of this folder, whose output is what they observe. A source that says "ranks: N" is started with so many
# processes by the host's launcher, each of which writes a file of its own; others are processes that are alone.
#
#   run.sh MODE...     MODE is a family or a pair (tests/families.bash)
#
# The output of a program is in $RESULTS/MODE/PROGRAM, by default in $BUILD/tests/conformance, with its exit status in the last
# line. JOBS programs run at a time, those named in PROGRAMS, or all. A source that has "cases: NAME..." is started for each of
# them, or each of those in CASES, with its name as argument; what it expects a message to have, in its file "words", is looked for.
set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
top=$(cd "$here/../.." && pwd)
: "${BUILD:=$top/build}" "${CC:=gcc}" "${TEST_TIMEOUT:=120}" "${JOBS:=2}" "${PROGRAMS:=}" "${CASES:=}"
BUILD=$(realpath -ms "$BUILD")
results=${RESULTS:-$BUILD/tests/conformance}
. "$top/tests/components.bash"
choose_windows
choose_messages
yield_while_waiting || exit
# Open MPI's launcher gathers the messages of ranks, and loses one on a busy machine, natively, too: 2 of 24, and none of 60 without.
export OMPI_MCA_orte_base_help_aggregate=0

# A family's program in C is linked to the library of a pair, whose soname is the native one's, too.
library_of() { echo "$BUILD/lib/mpi-adapter/$(pair_modes | sed -n "/^$1-to-/{p;q}")/$(family_fact "$1" soname)"; }

# build FAMILY PROGRAM, of which those in Fortran are called PROGRAM.INTERFACE.
build() {
    local program=$results/programs/$1/$2
    if [[ $2 == *.* ]]; then
        mkdir -p "$program.modules"
        $(tool "$1" FORT mpifort) -cpp -O0 -w -ffree-line-length-none -fallow-argument-mismatch -DINTERFACE="${2##*.}" -I "$top/tests/fortran" \
            -J "$program.modules" "$here/${2%.*}.F90" -o "$program"
    else
        "$CC" -std=gnu11 -D_GNU_SOURCE -fPIC -Wall -Wno-deprecated-declarations -Wno-stringop-overread -I "$BUILD/include/$1" \
            -o "$program" "$here/$2.c" "$(library_of "$1")" -Wl,-z,lazy -ldl
    fi
}

# programs_of FAMILY: those in C, and those in Fortran by each interface, where the family has a compiler for it.
programs_of() {
    local source
    shopt -s nullglob
    for source in "$here"/*.c; do
        [[ -n $PROGRAMS && " $PROGRAMS " != *" $(basename "$source" .c) "* ]] || basename "$source" .c
    done
    type -P "$(tool "$1" FORT mpifort)" > /dev/null || return 0
    for source in "$here"/*.F90; do
        [[ -n $PROGRAMS && " $PROGRAMS " != *" $(basename "$source" .F90) "* ]] || printf '%s\n' "$(basename "$source" .F90)".{77,90,2008}
    done
}

# know_left_out MODE: writes what the host's release cannot do: programs, and labels of them.
know_left_out() {
    local of host program label releases release rows
    host=$(host_of "$1")
    release=$(release_here "$host")
    rows=$("$top/tests/exceptions.py" rows "$here/left-out.tsv" 'host releases program label reason') || return
    while IFS=$'\t' read -r of releases program label _; do
        [[ $of == "$host" || $of == "$1 natively" ]] || continue
        ! "$top/tests/releases/faults.py" holds "$releases" "$release" || printf '%s\t%s\n' "$program" "$label"
    done <<< "$rows" > "$results/$1.left-out.$$" && mv "$results/$1.left-out.$$" "$results/$1.left-out"
}

# left_out MODE PROGRAM: the labels of these, a line for each; * is all of a program.
left_out() { sed -n "s/^$2\t//p" "$results/$1.left-out"; }

# start MODE PROGRAM SOURCE [CASE]: in the folder that is current; prints what its processes print, and how they end. Fails if
# the program does not start, or lacks a procedure, as then what it would observe is compared with nothing.
start() {
    local host program ranks settings=() code label said
    host=$(host_of "$1") program=$results/programs/$(family_of "$1")/$2 ranks=$(directive "$3" ranks)
    mapfile -t settings < <(paths_of "$1")
    settings+=("CONFORMANCE_HOST=$host" "CONFORMANCE_LEFT_OUT=$(left_out "$1" "${2%.*}" | paste -sd '|')")
    if [ -n "$ranks" ]; then
        start_ranks "$host" "$ranks" "${settings[@]}" -- "$program" "${@:4}" > stdout 2> stderr
    else
        env OMPI_MCA_btl=self "${settings[@]}" timeout -k 5 "$TEST_TIMEOUT" "$program" 2> stderr
    fi
    code=$?
    # With what launchers end may be with what they have ended ranks, and at times, on MPICH, it is 0: natively, too.
    if [ -n "${4-}" ]; then
        printf '%s: ends\t%s\n' "$4" "$([ "$code" -eq 124 ] && echo never || echo in time)"
    else
        printf 'exit\t%d\n' "$code"
    fi > end
    shopt -s nullglob
    cat rank.* end
    [ ! -e words ] || while IFS=$'\t' read -r label said; do
        printf '%s: message has the %s\t%s\n' "$4" "$label" "$(grep -qsiF -- "$said" stdout stderr said && echo "$said" || echo no)"
    done < words
    case $code in 126 | 127) ;; *) return 0 ;; esac
    echo "run.sh: $1: $2${4:+ $4} ends with $code: it does not start, or calls what is not there;" \
        "if the host has it so natively, add it to left-out.tsv" >&2
    return 1
}

# start_case MODE PROGRAM SOURCE CASE: a launcher that ends a job loses last words of its ranks at times, natively, too: up to
# three times, until the message has all that is looked for.
start_case() {
    local try failed
    for try in 1 2 3; do
        failed=0
        mkdir "$4.$try"
        (cd "$4.$try" && start "$@") > "$4.said" || failed=1
        grep -E ': message has the .*	no$' "$4.said" > /dev/null || break
    done
    cat "$4.said"
    return "$failed"
}

# start_cases MODE PROGRAM: once, or for each of the cases that its source has, those in CASES.
start_cases() {
    local source=$here/$2.c cases failed=0
    [ -e "$source" ] || source=$here/${2%.*}.F90
    cases=$(directive "$source" cases)
    [ -n "$cases" ] || { start "$1" "$2" "$source"; return; }
    for each in $cases; do
        [[ -n $CASES && " $CASES " != *" $each "* ]] || start_case "$1" "$2" "$source" "$each" || failed=1
    done
    return "$failed"
}

# one MODE PROGRAM: runs it, unless all of it is left out there; builds it, where no mode before did.
one() {
    local folder failed=0
    if left_out "$1" "${2%.*}" | grep -xF '*' > /dev/null; then
        rm -f "$results/$1/$2"
        return
    fi
    [ -e "$results/programs/$(family_of "$1")/$2" ] || build "$(family_of "$1")" "$2" || exit
    folder=$(mktemp -d)
    (cd "$folder" && start_cases "$1" "$2") > "$results/$1/$2" || failed=1
    rm -rf "$folder"
    return "$failed"
}

if [ "${1-}" = --one ]; then
    one "$2" "$3"
    exit
fi
for each in $CASES; do
    grep -qE "^/\* cases: ([^ ]+ )*$each " "$here"/*.c || { echo "run.sh: no program has a case '$each'" >&2; exit 2; }
done
rm -rf "${results:?}/programs"
for mode; do
    family=$(family_of "$mode")
    [ -n "$PROGRAMS" ] || rm -rf "${results:?}/$mode"
    mkdir -p "$results/$mode" "$results/programs/$family"
    know_left_out "$mode" || exit
    make -s -C "$top" BUILD="$BUILD" "$BUILD/include/$family/mpi.h" >&2 || exit
    programs_of "$family" | xargs -r -P "$JOBS" -n 1 "$0" --one "$mode" || exit 1
done
