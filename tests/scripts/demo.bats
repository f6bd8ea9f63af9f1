# SPDX-License-Identifier: BSD-3-Clause
# The demonstration's output, with programs that only look like it.

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

@test "what was verified is on the screen, and everything in a log that is named" {
    fake "$BATS_TEST_TMPDIR/bin/make" 'seq 1000'
    MAKE=make run --separate-stderr "$top/scripts/demo"
    echo "$output"
    [ "$status" -eq 0 ]
    mapfile -t lines < <(grep -v ': building' <<< "$output")
    [ -z "$(grep -x 1000 <<< "$output")" ]
    [ -z "$stderr" ]
    [[ ${lines[0]} == *"$BUILD/demo/log,"*"$BUILD/demo/build.log" ]]
    [ "${lines[1]}" = '== a C program, compiled by mpicc.openmpi: ring: verified' ]
    [[ ${lines[-1]} =~ ^'demo: all verified, in '[0-9]+' s'$ ]]
    grep -qx 1000 "$BUILD/demo/log"
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

@test "a program is shown as soon as its pair is there, and the other pairs are built meanwhile" {
    fake "$BUILD/bin/mpi-adapter" 'touch "$BUILD/ran"; echo ring: verified'
    # All but the first wait for a program to run.
    fake "$BATS_TEST_TMPDIR/bin/make" 'case $* in *openmpi-to-mpich*) exit ;; esac
        for turn in $(seq 300); do [ ! -e "$BUILD/ran" ] || exit 0; sleep 0.1; done; exit 1'
    MAKE=make run "$top/scripts/demo"
    echo "$output"
    [ "$status" -eq 0 ]
}

@test "while it builds, it says how many of how many" {
    fake "$BATS_TEST_TMPDIR/bin/make" 'printf "[  7/42   3 s]  CC  one.c\nsaid by a compiler [1/2]\n"
        for turn in $(seq 600); do ! grep -q "building 7/42" "$BUILD/said" || exit 0; sleep 0.1; done; exit 1'
    MAKE=make "$top/scripts/demo" > "$BUILD/said"
    grep -qE '^== Open MPI on MPICH: building 7/42, [0-9]+ s$' "$BUILD/said"
}

@test "nothing goes on when it is stopped" {
    fake "$BATS_TEST_TMPDIR/bin/make" 'echo $$ > "$BUILD/pid.new"; mv "$BUILD/pid.new" "$BUILD/pid"; exec sleep 600'
    MAKE=make "$top/scripts/demo" > /dev/null &
    for turn in $(seq 600); do [ ! -e "$BUILD/pid" ] || break; sleep 0.1; done
    [ -e "$BUILD/pid" ]
    kill $!
    wait $! && return 1
    for turn in $(seq 600); do kill -0 "$(cat "$BUILD/pid")" 2> /dev/null || return 0; sleep 0.1; done
    return 1
}
