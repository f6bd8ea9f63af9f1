#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# Statuses of the standard ABI's host in those of applications that have less room.

load ../standard-abi

setup() {
    cd "$BATS_TEST_TMPDIR"
}

@test "a size and a flag come back from less room, and the host is asked only where it must be" {
    for pair in $(pairs_of 2); do
        use_includes "$pair"
        for level in -O0 -O2; do
            "$CC" -std=gnu11 $level -Wall -pthread -o statuses "$here/programs/statuses.c" "$top/adapter-c/convert/status.c" \
                "${includes[@]}"
            [ "$(./statuses)" = right ]
        done
    done
}
