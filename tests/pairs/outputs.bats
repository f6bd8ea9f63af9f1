#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# What is in a variable for a handle after the call failed is what the host leaves there natively.

load ../pair

setup() {
    cd "$BATS_TEST_TMPDIR"
    choose_windows
}

leaves() {
    app_program adapted -w "$here/outputs.c"
    host_program natively -w "$here/outputs.c"
    timeout 120 ./natively > native
    adapted ./adapted > ours
    [ "$(wc -l < ours)" -ge 90 ]
    diff native ours
}

@test "what calls that fail leave in variables for handles" {
    PAIRS=${PAIRS:-$(native_pairs)} for_each_pair leaves
}
