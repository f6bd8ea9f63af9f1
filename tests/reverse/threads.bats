#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# What threads of a program of MPICH's share.

load common

@test "threads read error strings and names while another one replaces them" {
    mpich_program "$BATS_TEST_TMPDIR/shared" -pthread "$top/tests/adapter/threads/shared.c"
    [ "$(MALLOC_PERTURB_=165 adapted "$BATS_TEST_TMPDIR/shared")" = "0 wrong at level 1" ]
}
