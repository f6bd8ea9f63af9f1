#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# mpi-adapter container with Apptainer itself, where it can start containers. `make check` does not install it.

bats_require_minimum_version 1.5.0
load ../chroot
load images

setup_file() {
    find_build
    type -P apptainer > /dev/null || return 0
    make_image openmpi
    make_image mpich
}

# A root that has not all capabilities needs a user namespace, as users have it.
setup() {
    type -P apptainer > /dev/null || skip "there is no apptainer"
    timeout 900 apptainer exec --userns "$images/openmpi" '/my app/show' > "$BATS_TEST_TMPDIR/log" 2>&1 ||
        ! grep -q 'ERROR  *:\|FATAL  *:' "$BATS_TEST_TMPDIR/log" ||
        skip "apptainer starts no container: $(tail -n 1 "$BATS_TEST_TMPDIR/log")"
    plain_environment
}

contained() {
    run --separate-stderr timeout 900 "$adapter" container --tool apptainer --tool-arg --userns -n 2 "$@"
    echo "$output $stderr"
}

@test "Apptainer: programs in a folder run on the other MPI, and the folder stays as it is" {
    find "$images" | sort > "$BATS_TEST_TMPDIR/before"
    contained "$images/openmpi" -- '/my app/ring'
    [ "$status" -eq 0 ]
    [[ $output == *'ring on 2 ranks, MPICH Version'*': verified'* ]]
    contained --launcher mpiexec.openmpi --oversubscribe "$images/mpich" -- '/my app/ring'
    [ "$status" -eq 0 ]
    [[ $output == *'ring on 2 ranks, Open MPI'*': verified'* ]]
    find "$images" | sort | diff "$BATS_TEST_TMPDIR/before" -
}

@test "Apptainer: variables reach the ranks, and the exit code is the program's" {
    OTHER=host contained "$images/openmpi" -- '/my app/show' OTHER
    [ "$status" -eq 0 ]
    [[ $output == *'OTHER=host'* ]]
    contained "$images/openmpi" -- '/my app/show' exit 7
    [ "$status" -eq 7 ]
}
