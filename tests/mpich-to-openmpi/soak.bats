#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# Long runs: resident memory does not grow. SOAK=N makes N percent of the calls.

load common

setup_file() {
    load common
    cd "$BATS_FILE_TMPDIR"
    app_program soak "$here/programs/soak.c" -pthread -Wno-stringop-overflow
    host_program oracle "$here/programs/soak.c" -pthread
}

setup() {
    cd "$BATS_FILE_TMPDIR"
}

# flat TOLERANCE THREADS: what each kind of calls grows by is at most TOLERANCE kilobytes more than
# it natively grows by.
flat() {
    timeout 300 ./oracle "${SOAK:-100}" "$2" > native
    LD_LIBRARY_PATH=$folder timeout 300 ./soak "${SOAK:-100}" "$2" > grown
    paste native grown
    [ "$(tail -n 1 native)" = right ]
    [ "$(tail -n 1 grown)" = right ]
    awk -v tolerance="$1" 'NR == FNR { native[$1] = $2 > 0 ? $2 : 0; next }
        $1 != "right" { kinds++; if ($2 > native[$1] + tolerance) bad = 1 } END { exit bad || kinds < 1 }' native grown
}

@test "ten million requests, and a hundred thousand objects of each class" {
    flat 256 1
    [ "$(wc -l < grown)" -eq 9 ]
}

@test "ten million requests of eight threads" {
    flat 1024 8
}

@test "a leak would be seen" {
    sed 's/        MPI_Op_free(&op);/        if (i % 8) MPI_Op_free(\&op);/' "$here/programs/soak.c" > leak.c
    run ! cmp -s leak.c "$here/programs/soak.c"
    app_program soak leak.c -pthread -w
    run flat 256 1
    [ "$status" -ne 0 ]
}
