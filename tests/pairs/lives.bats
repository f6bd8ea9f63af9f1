#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# What is left of one life of MPI when it begins again. Few hosts let it: this one is made up.

load ../pair

setup() {
    cd "$BATS_TEST_TMPDIR"
}

lives() {
    local addresses=
    if grep -q host_address "$build/$pair/pair/host.h"; then addresses=-DHOST_HAS_ADDRESSES; fi
    # shellcheck disable=SC2086  # one word or none
    "$CC" -std=gnu11 -O1 -g -Wall -pthread $addresses -I"$build/$pair/pair" -I"$top/adapter-c" -o lives "$here/lives.c" \
        "$top"/adapter-c/keep/life.c "$top"/adapter-c/convert/{added_code,text}.c
    [ "$(./lives)" = right ]
}

@test "error codes of one life of MPI are none in the next" {
    for_each_pair lives
}
