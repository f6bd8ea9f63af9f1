#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# Objects of every kind are made and freed over and over: resident memory grows no more than it does natively. COUNT is how
# often. `make soak` has programs of its own run for as long as they are let (soak).

load ../pair

setup() {
    cd "$BATS_TEST_TMPDIR"
    choose_windows
}

# With the tables' header, as programs of MPI-4 are compiled for any release.
compile_soak() {
    "$CC" -std=gnu11 -O1 -g -Wall -w -I"$build/include/$application" -o soak "$1" -L"$folder" -l:"$soname"
    host_program natively -w "$here/soak.c"
}

run_both() {
    # shellcheck disable=SC2086  # a list of words
    timeout "${SOAK_TIMEOUT:-300}" ./natively "${COUNT:-5000}" ${KINDS-} > native
    # shellcheck disable=SC2086
    LD_LIBRARY_PATH=$folder timeout "${SOAK_TIMEOUT:-300}" ./soak "${COUNT:-5000}" ${KINDS-} > grown
}

flat() { "$here/compare" "$host" native grown; }

stays() {
    compile_soak "$here/soak.c"
    run_both
    [ -n "${KINDS-}" ] || [ "$(wc -l < grown)" -eq 22 ]
    flat
}

@test "memory does not grow by making and freeing objects" {
    PAIRS=${PAIRS:-$(native_pairs)} for_each_pair stays
}

leaks() {
    sed 's/    OK(MPI_Op_free(&added));/    if (i % 2) OK(MPI_Op_free(\&added));/' "$here/soak.c" > leak.c
    ! cmp -s leak.c "$here/soak.c"
    compile_soak leak.c
    COUNT=40000 KINDS=op run_both
    ! flat
}

@test "a leak would be seen" {
    PAIRS=${PAIRS:-$(native_pairs)} for_each_pair leaks
}
