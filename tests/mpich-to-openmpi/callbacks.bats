#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# Callbacks of programs of MPICH's on Open MPI, where the process may not map or open what it likes.

load common
load ../openmpi-to-mpich/callbacks

setup() {
    cd "$BATS_TEST_TMPDIR"
    mpich_program many -w "$top/tests/openmpi-to-mpich/callbacks/many.c" -lmpichfort
    copy=$PWD/copy
    cp -a "$folder" "$copy"
}

@test "8000 callbacks: without descriptors, without memory files" {
    check_many_callbacks
}

@test "where the library cannot be mapped again, what needs a 4097th callback fails" {
    check_few_callbacks
}
