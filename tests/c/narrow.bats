# SPDX-License-Identifier: BSD-3-Clause
#
# Large counts on a host without large-count procedures, with an adapter that
# gives it no more than 100 elements at a time: what would else need gigabytes.

setup_file() {
    top=$(cd "$(dirname "$BATS_TEST_FILENAME")/../.." && pwd)
    export top BUILD="${BUILD:-$top/build}/narrow"
    make -C "$top" mpich-to-openmpi BUILD="$BUILD" CPPFLAGS=-DNARROW_MAX=100 >/dev/null
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
