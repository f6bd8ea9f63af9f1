#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# Objects that threads of a program share, and their stacks.

load ../pair

setup() {
    cd "$BATS_TEST_TMPDIR"
}

# left_out PAIR REASON: this pair's check proves nothing, because its host fails natively, too.
left_out() {
    echo "$1: $2" >> "$BATS_TEST_TMPDIR/left-out"
}

# A test that left pairs out is skipped, after all others passed, so that it counts.
all_but_left_out() {
    for_each_pair "$@"
    [ ! -s "$BATS_TEST_TMPDIR/left-out" ] || skip "the host fails natively, too: $(paste -sd ';' "$BATS_TEST_TMPDIR/left-out")"
}

shared() {
    local found native try
    app_program shared -pthread "$here/shared.c"
    found=$(MALLOC_PERTURB_=165 adapted ./shared 2> messages) || true
    echo "adapted: ${found:-ends}"
    [ "$found" != "0 wrong at level 1" ] || return 0
    # The host may be wrong now and then. A program that ends is excused by one that ends alone.
    host_program natively-shared -pthread "$here/shared.c"
    for ((try = 0; try < 10; try++)); do
        native=$(timeout 600 ./natively-shared 2>> messages) || true
        [ "$native" = "0 wrong at level 1" ] || [[ ! $found && $native ]] || {
            left_out "$pair" "${native:-ends}"
            return 0
        }
    done
    return 1
}

@test "threads read error strings and names while another one replaces them" {
    all_but_left_out shared
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
    ! timeout 600 ./natively "$@" > native.txt 2> native.err || return
    left_out "$pair" "$(sed -n 1p native.err)"
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
    all_but_left_out stacks
}

# Of 16 KiB: what runs natively runs.
small_stacks() {
    compile_stack
    host_ends small && return
    adapted ./stack small > adapted.txt
    [ "$(grep -c . adapted.txt)" = "$(grep -c . native.txt)" ]
}

@test "calls run on threads with the smallest stacks" {
    all_but_left_out small_stacks
}
