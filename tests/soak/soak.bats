#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# Objects of every kind are made and freed over and over: resident memory grows no more than it does natively. COUNT is how
# often. `make soak` has programs of its own run for as long as they are let (soak).

load ../pair
. "$BATS_TEST_DIRNAME/flat.bash"

setup() {
    cd "$BATS_TEST_TMPDIR"
    choose_windows
}

# With the tables' header, as programs of MPI-4 are compiled for any release.
compile_soak() {
    "$CC" -std=gnu11 -O1 -g -Wall -w -I"$build/include/$application" -I"$top/tests" -o soak "$1" -L"$folder" -l:"$soname"
    host_program natively -w "$here/soak.c"
}

run_both() {
    # shellcheck disable=SC2086  # a list of words
    timeout "${SOAK_TIMEOUT:-300}" ./natively "${COUNT:-5000}" ${KINDS-} > native
    # shellcheck disable=SC2086
    LD_LIBRARY_PATH=$folder timeout "${SOAK_TIMEOUT:-300}" ./soak "${COUNT:-5000}" ${KINDS-} > grown
}

run_again() { KINDS=$* run_both; }

stays() {
    compile_soak "$here/soak.c"
    run_both
    [ -n "${KINDS-}" ] || [ "$(wc -l < grown)" -eq 23 ]
    flat "$host" native grown
}

@test "memory does not grow by making and freeing objects" {
    PAIRS=${PAIRS:-$(native_pairs)} for_each_pair stays
}

leaks() {
    sed 's/    OK(MPI_Op_free(&added));/    if (i % 2) OK(MPI_Op_free(\&added));/' "$here/soak.c" > leak.c
    run ! cmp leak.c "$here/soak.c"
    compile_soak leak.c
    COUNT=40000 KINDS=op run_both
    ! flat "$host" native grown
}

@test "a leak would be seen" {
    PAIRS=${PAIRS:-$(native_pairs)} for_each_pair leaks
}

# grows KIB...: a false kind that the host is known to leak in some runs, 100 bytes a call, grew by so much in one run after another.
grows() {
    times=("$@")
    run_again
    flat host native grown
}
run_again() {
    printf 'kind\t0\t10000\t10000\t1\n' > native
    printf 'kind\t%s\t10000\t10000\t1\n' "${times[0]}" > grown
    [ ${#times[@]} -eq 1 ] || times=("${times[@]:1}")
}

@test "what a host leaks in some runs is no leak of ours, and hides none" {
    cp "$here"/{compare,flat.bash} .
    printf '# host\tkind\tbytes\twhat\nhost\tkind\t100\tin some runs\n' > leaks.tsv
    . ./flat.bash
    grows 200
    grows 1000 900 900 200
    # In every run.
    run ! grows 900
    # More than that.
    run ! grows 2000 200
    # Of a host that is not known for it.
    : > leaks.tsv
    run ! grows 900 200
}

@test "make soak says with which status a process ended" {
    PAIRS=$(native_pairs | sed -n 1p) COUNT=none run "$here/soak" .
    [ "$status" -eq 1 ]
    [[ $output == *"ended with 2; see "*.log* ]]
}
