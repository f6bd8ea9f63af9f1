#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# Partitioned communication on a host without it: who pays for its communicator, and whom it does not reach.

load ../pair
use_pair mpich-to-openmpi

setup_file() {
    load ../pair
    use_pair mpich-to-openmpi
    cd "$BATS_FILE_TMPDIR"
    app_program by_name "$here/partitioned.c" -ldl
    app_program direct "$here/partitioned.c" -DDIRECT
}

setup() {
    cd "$BATS_FILE_TMPDIR"
    ! host_has MPI_Psend_init || skip 'the host has partitioned communication'
}

@test "a program that asks for the procedures by name is told of the setting, and served with it" {
    run --separate-stderr adapted ./by_name
    [ "$output" = unsupported ]
    [[ $stderr == *'set MPI_ADAPTER_PARTITIONED=1'* ]]
    run --separate-stderr adapted env MPI_ADAPTER_PARTITIONED=1 ./by_name
    [ "$output" = received ]
    [ -z "$stderr" ]
}

@test "a spawned process is not reached, and the program is told so" {
    run --separate-stderr on_ranks 1 ./direct
    echo "$output $stderr"
    [ "$output" = unsupported ]
    [[ $stderr == *'mpi-adapter: partitioned communication does not reach spawned or connected processes'* ]]
}

@test "a fatal error of partitioned communication names the procedure that the program called" {
    app_program wrong "$here/partitioned_wrong.c"
    for name in MPI_Psend_init MPI_Pready MPI_Pready_range; do
        run ! adapted ./wrong "$name"
        grep -qF "mpi-adapter: $name failed (MPI_ERR_ARG" <<< "$output" || { echo "$name: $output"; return 1; }
    done
}

@test "a receiver takes the opening that it waits for and no other, since data lies between them in the host's queue" {
    app_program ahead "$here/partitioned_ahead.c"
    run --separate-stderr adapted env MPI_ADAPTER_TRACE=ahead.%r ./ahead
    [ "$output" = received ]
    sed -nE 's/.* (MPI_Recv|MPI_Irecv)\(.*/\1/p' ahead.0 > receives
    cat receives
    # An opening each, and its data behind it.
    [ "$(paste -sd' ' receives)" = 'MPI_Recv MPI_Irecv MPI_Recv MPI_Irecv MPI_Recv MPI_Irecv MPI_Recv MPI_Irecv MPI_Recv MPI_Irecv' ]
}
