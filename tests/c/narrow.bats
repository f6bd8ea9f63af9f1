# SPDX-License-Identifier: BSD-3-Clause
#
# Large counts on a host without large-count procedures, with an adapter that
# gives it no more than 100 elements at a time: what would else need gigabytes.

setup_file() {
    top=$(cd "$(dirname "$BATS_TEST_FILENAME")/../.." && pwd)
    export top built=${BUILD:-$top/build} BUILD=$BATS_FILE_TMPDIR/build
    # Only what knows the limit is compiled again: make remembers the flags of an object, but not a cache in front of the compiler.
    mkdir "$BUILD"
    cp -a "$built"/{app,common,each,flags,gotswap,host,include,lib,pair} "$BUILD"
    grep -lrF adapter-c/stand_ins/narrow.h --include='*.d' "$BUILD"/{common,app/mpich,host/openmpi,pair/mpich-to-openmpi} | sed 's/d$/o/' | xargs rm
    printf '#!/bin/sh\nexec "$@" -DNARROW_MAX=100\n' > "$BATS_FILE_TMPDIR/ccache"
    chmod +x "$BATS_FILE_TMPDIR/ccache"
    make -C "$top" --no-print-directory CC="$BATS_FILE_TMPDIR/ccache ${CC:-gcc}" mpich-to-openmpi > "$BATS_FILE_TMPDIR/log" 2>&1 ||
        { cat "$BATS_FILE_TMPDIR/log"; return 1; }
}

@test "nothing is compiled again but what knows the limit" {
    run grep -c ' CC ' "$BATS_FILE_TMPDIR/log"
    [ "$output" -eq "$(grep -lrF adapter-c/stand_ins/narrow.h --include='*.d' "$BUILD"/{common,app/mpich,host/openmpi,pair/mpich-to-openmpi} | wc -l)" ]
}

@test "large counts are carried over in parts of 100 elements" {
    run "$top/tests/c/run.sh" mpich-to-openmpi narrowed_counts
    echo "$output"
    [ "$status" -eq 0 ]
}

@test "an adapter that narrows runs the other large-count programs" {
    run "$top/tests/c/run.sh" mpich-to-openmpi large_counts large_collectives large_transfers
    echo "$output"
    [ "$status" -eq 0 ]
}
