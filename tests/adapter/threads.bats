#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# What threads of a program of Open MPI's share.

load common

@test "threads read error strings and names while another one replaces them" {
    mpi_program "$BATS_TEST_TMPDIR/shared" -pthread "$here/threads/shared.c"
    [ "$(MALLOC_PERTURB_=165 adapted timeout 120 "$BATS_TEST_TMPDIR/shared")" = "0 wrong at level 1" ]
}
