#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# Each allocation of the adapter's fails once, at load, in MPI_Init and in calls: the program works, or hears of it. As the process
# starts, of the allocations that one line of code asks for in the same way only the first fails; EVERY_PAIR=yes tries all pairs
# (PARTS=allocations make check-sanitizers).

load ../pair

setup() {
    cd "$BATS_TEST_TMPDIR"
    choose_windows
    "$CC" -O1 -Wall -fPIC -shared -o fail_allocation.so "$here/fail_allocation.c"
    preload=$PWD/fail_allocation.so
}

# failing SETTING... COMMAND...
failing() { LD_LIBRARY_PATH=$folder timeout 120 env LD_PRELOAD="$preload" "$@"; }

calls() {
    app_program allocations "$here/allocations.c" -ldl
    failing ./allocations calls > said 2> errors || { tail -n 20 said errors; return 1; }
    cat said errors
    [ "$(cat said)" = right ]
}

@test "a call for which memory runs out works, or returns MPI_ERR_NO_MEM" {
    for_each_pair calls
}

# Programs of mpif.h call the same entry points as those of `use mpi`.
calls_from_fortran() {
    local interface program
    for interface in 90 2008; do
        program=../$application.$interface
        [ -x "$program" ] ||
            "$(tool "$application" FORT mpifort)" -cpp -O0 -w -ffree-line-length-none -fallow-argument-mismatch \
                -DINTERFACE="$interface" "-D${application^^}" -I"$top/tests/fortran" -o "$program" "$here/allocations.F90" "$preload"
        failing "$program" > said 2> errors || { tail -n 20 said errors; return 1; }
        cat said errors
        [ "$(cat said)" = right ]
    done
}

@test "a call from Fortran for which memory runs out works, or returns MPI_ERR_NO_MEM" {
    for_each_pair calls_from_fortran
}

# told: the process ended, and a line says why.
told() { [ "$status" -ne 0 ] && grep -qE '^mpi-adapter: .*out of memory.*; |MPI_ERR_NO_MEM' errors; }

starts() {
    local number status tried=0
    app_program allocations "$here/allocations.c" -ldl
    failing FAIL_LIST="$PWD/list" ./allocations > said
    [ "$(cat said)" = right ]
    while read -r number; do
        status=0
        failing FAIL_AT="$number" ./allocations > said 2> errors < /dev/null || status=$?
        [ "$status $(cat said)" = '0 right' ] || told ||
            { echo "without allocation $number: status $status, $(cat said errors)"; return 1; }
        tried=$((tried + 1))
    done < list
    [ "$tried" -gt 20 ]
}

@test "a process that starts while memory runs out works, or ends with a line that says so" {
    [ -n "${EVERY_PAIR-}" ] || PAIRS='openmpi-to-mpich mpich-to-openmpi'
    for_each_pair starts
}
