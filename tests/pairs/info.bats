#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# Cases in which the adapter does better than its host.

@test "a value longer than its room is cut, also on a host that takes that for an error" {
    top=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
    : "${BUILD:=$top/build}"
    cat > "$BATS_TEST_TMPDIR/cut.c" <<'C'
#include <mpi.h>
#include <string.h>
int main(int argc, char **argv)
{
    char value[8];
    int flag = 0;
    MPI_Info info;
    MPI_Init(&argc, &argv);
    MPI_Info_create(&info);
    MPI_Info_set(info, "key", "abcdef");
    memset(value, '#', sizeof value);
    MPI_Info_get(info, "key", 3, value, &flag);
    int wrong = !flag || memcmp(value, "abc\0####", 8) != 0;
    MPI_Info_get(info, "absent", 3, value, &flag);
    wrong |= flag;
    MPI_Info_free(&info);
    MPI_Finalize();
    return wrong;
}
C
    mpicc.openmpi -o "$BATS_TEST_TMPDIR/cut" "$BATS_TEST_TMPDIR/cut.c"
    LD_LIBRARY_PATH=$BUILD/lib/mpi-adapter/openmpi-to-mpich timeout 60 mpiexec.mpich -n 1 "$BATS_TEST_TMPDIR/cut"
}

# Rooms that the host leaves alone hold what malloc() left there.
reads_empty_values() {
    [ "$host" = openmpi ] || return 0
    app_program empty "$here/empty_value.c"
    run env OMPI_ARGV= MALLOC_PERTURB_=90 LD_LIBRARY_PATH="$folder" timeout 120 ./empty
    echo "$output"
    [ "$status" -eq 0 ]
}

@test "an empty value is read in rooms that a host leaves alone, and after MPI has ended" {
    load ../pair
    cd "$BATS_TEST_TMPDIR"
    PAIRS=$(native_pairs)
    for_each_pair reads_empty_values
}
