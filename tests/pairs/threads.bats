#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# Objects that threads of a program share, and their stacks.

load ../pair

setup() {
    cd "$BATS_TEST_TMPDIR"
}

# A failure that the host has natively, too, is its own.
shared() {
    local found
    app_program shared -pthread "$here/shared.c"
    found=$(MALLOC_PERTURB_=165 adapted ./shared 2> messages) || true
    [ "$found" != "0 wrong at level 1" ] || return 0
    host_program natively-shared -pthread "$here/shared.c"
    timeout 120 ./natively-shared > native.txt 2>> messages || echo "ends with $?" >> native.txt
    echo "# $pair: ${found:-ends}, and natively: $(tail -n 1 native.txt)" >&3
    ! grep -qx '0 wrong at level 1' native.txt
}

@test "threads read error strings and names while another one replaces them" {
    for_each_pair shared
}

add_codes() {
    app_program codes -pthread "$here/codes.c"
    adapted ./codes > twice
    [ "$(cat twice)" = '0 twice' ]
}

# Open MPI's own programs are given some twice, and end in MPI_Finalize.
@test "threads that add error codes at the same time get one each" {
    for_each_pair add_codes
}

compile_stack() {
    app_program stack -w -pthread "$here/stack.c"
    host_program natively -w -pthread "$here/stack.c"
}

# host_ends [small]: whether the host's own program does not come through; writes native.txt.
host_ends() {
    ! timeout 120 ./natively "$@" > native.txt 2> native.err || return
    echo "# left out $pair: the host ends natively: $(sed -n 1p native.err)" >&3
}

# Each line of the second file has numbers that exceed those of the first by 2560 at most: what an array of
# handles and one of statuses take of a stack.
compare_stacks() {
    paste -d ' ' "$1" "$2" | awk '$1 != $4 || $5 > $2 + 2560 || $6 > $3 + 2560 { print "native, adapted:", $0; bad = 1 }
        END { exit bad || NR < 20 }'
}

stacks() {
    compile_stack
    host_ends && return
    adapted ./stack > adapted.txt
    compare_stacks native.txt adapted.txt
}

@test "calls take little more of a thread's stack than natively" {
    for_each_pair stacks
}

# Of 16 KiB: what runs natively runs.
small_stacks() {
    compile_stack
    host_ends small && return
    adapted ./stack small > adapted.txt
    [ "$(grep -c . adapted.txt)" = "$(grep -c . native.txt)" ]
}

@test "calls run on threads with the smallest stacks" {
    for_each_pair small_stacks
}
