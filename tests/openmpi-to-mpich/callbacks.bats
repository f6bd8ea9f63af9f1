#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# Callbacks of programs of Open MPI's on MPICH, where the process may not map or open what it likes.

load common
load callbacks

setup() {
    cd "$BATS_TEST_TMPDIR"
    mpi_program many -w "$here/callbacks/many.c" -lmpi_mpifh
    copy=$PWD/copy
    cp -a "$folder" "$copy"
}

@test "8000 callbacks: without descriptors, without memory files" {
    check_many_callbacks
}

@test "where the library cannot be mapped again, what needs a 4097th callback fails" {
    check_few_callbacks
}
