#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# What threads of a program of MPICH's share, and their stacks.

load common
load ../openmpi-to-mpich/threads

setup() {
    cd "$BATS_TEST_TMPDIR"
}

compile_stack() {
    mpich_program stack -w -pthread "$top/tests/openmpi-to-mpich/threads/stack.c"
    openmpi_program natively -w -pthread "$top/tests/openmpi-to-mpich/threads/stack.c"
}

@test "threads read error strings and names while another one replaces them" {
    mpich_program shared -pthread "$top/tests/openmpi-to-mpich/threads/shared.c"
    [ "$(MALLOC_PERTURB_=165 adapted ./shared)" = "0 wrong at level 1" ]
}

@test "calls take little more of a thread's stack than natively" {
    compile_stack
    check_stacks
}

@test "calls run on threads with the smallest stacks" {
    compile_stack
    check_small_stacks
}
