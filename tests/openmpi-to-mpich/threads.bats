#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# What threads of a program of Open MPI's share, and their stacks.

load common
load threads

setup() {
    cd "$BATS_TEST_TMPDIR"
}

compile_stack() {
    mpi_program stack -w -pthread "$here/threads/stack.c"
    MPICH_CC=$CC mpicc.mpich -O1 -g -w -pthread -o natively "$here/threads/stack.c"
}

@test "threads read error strings and names while another one replaces them" {
    mpi_program shared -pthread "$here/threads/shared.c"
    [ "$(MALLOC_PERTURB_=165 adapted timeout 120 ./shared)" = "0 wrong at level 1" ]
}

@test "calls take little more of a thread's stack than natively" {
    compile_stack
    check_stacks
}

@test "calls run on threads with the smallest stacks" {
    compile_stack
    check_small_stacks
}
