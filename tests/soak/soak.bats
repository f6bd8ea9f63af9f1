#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# Objects of every kind are made and freed over and over: resident memory grows no more than it does natively. COUNT is how
# often, 5000 here, and 10^8 for `make soak`, which KINDS and PAIRS restrict.

load ../pair

# What memory of allocators and of the kernel may do by itself.
tolerance=256

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

# Kinds that the host does not have natively grow by nothing.
flat() {
    awk -F '\t' -v tolerance="$tolerance" 'NR == FNR { native[$1] = $2 > 0 ? $2 : 0; next }
        { kinds++; if ($2 > native[$1] + tolerance) { print "by KiB, natively and adapted:", $1, native[$1], $2; bad = 1 } }
        END { exit bad || !kinds }' native grown
}

stays() {
    compile_soak "$here/soak.c"
    run_both
    [ -n "${KINDS-}" ] || [ "$(wc -l < grown)" -eq 21 ]
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
