# SPDX-License-Identifier: BSD-3-Clause
# What the demonstration says, with programs that only look like it.

bats_require_minimum_version 1.5.0

setup() {
    top=$BATS_TEST_TMPDIR/top
    mkdir -p "$top/scripts" "$top/tests/demo" "$top/build/bin" "$BATS_TEST_TMPDIR/bin"
    cp "$BATS_TEST_DIRNAME/../../scripts/demo" "$top/scripts/"
    mkdir -p "$top/tests/apps"
    touch "$top/tests/apps/hdf5.c"
    export PATH=$BATS_TEST_TMPDIR/bin:/usr/bin:/bin BUILD=$top/build
    local name
    for name in mpicc.openmpi mpicc.mpich h5pcc.mpich; do
        fake "$BATS_TEST_TMPDIR/bin/$name" 'echo much; echo more'
    done
    fake "$BUILD/bin/mpicc_abi" ''
    fake "$BUILD/bin/mpi-adapter" 'seq 1000; echo ring: verified'
    for name in check-hpcc check-netpipe check-hdf5; do
        fake "$top/tests/demo/$name" "seq 1000; echo $name: verified"
    done
}

fake() {
    printf '#!/bin/sh\n%s\n' "$2" > "$1"
    chmod +x "$1"
}

@test "a dozen lines on the screen, and everything in a log that is named" {
    fake "$BATS_TEST_TMPDIR/bin/make" 'seq 1000'
    MAKE=make run --separate-stderr "$top/scripts/demo"
    echo "$output"
    [ "$status" -eq 0 ]
    [ "${#lines[@]}" -le 12 ]
    [ -z "$stderr" ]
    [[ ${lines[0]} == *"$BUILD/demo/log" ]]
    [ "${lines[1]}" = '== a C program, compiled by mpicc.openmpi: ring: verified' ]
    [ "${lines[-1]}" = 'demo: all verified' ]
    [ "$(wc -l < "$BUILD/demo/log")" -gt 5000 ]
}

@test "a program that fails is named with what it said, and the others are shown" {
    fake "$top/tests/demo/check-hpcc" 'seq 1000; echo the reason; exit 1'
    run --separate-stderr "$top/scripts/demo"
    echo "$output $stderr"
    [ "$status" -eq 1 ]
    [[ $stderr == *"hpcc, built against Open MPI failed; the end of $BUILD/demo/log:"*'the reason' ]]
    [ "$(wc -l <<< "$stderr")" -le 21 ]
    [[ $output == *'netpipe-mpich2, built against MPICH: check-netpipe: verified'* ]]
    [[ $output != *'all verified'* ]]
}

@test "a build that fails ends it" {
    fake "$BATS_TEST_TMPDIR/bin/make" 'echo "error: the reason"; exit 2'
    MAKE=make run --separate-stderr "$top/scripts/demo"
    [ "$status" -eq 1 ]
    [[ $stderr == *'failed; the end of'*'error: the reason' ]]
}
