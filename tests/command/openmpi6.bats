# SPDX-License-Identifier: BSD-3-Clause
# Open MPI 6 has its handles in a library of their own, which its MPI needs.

load false_mpis

setup_file() {
    make_fixtures
    local six=$fixtures/six/lib
    make_library "$six/libopen_mpi.so.40" libopen_mpi.so.40 'int ompi_mpi_comm_world;'
    make_library "$six/libmpi.so.40" libmpi.so.40 \
        'int PMPI_Init(void) { return 0; } extern int ompi_mpi_comm_world; int *world(void) { return &ompi_mpi_comm_world; }
         const char *MPI_Whose(void) { return "six"; }' "$six/libopen_mpi.so.40"
    write_launcher "$fixtures/six/bin/mpiexec" openmpi 'mpiexec (Open MPI) 6.0.0'
}

setup() {
    make_installation
    reverse=$prefix/lib/mpi-adapter/mpich-to-openmpi
    write_pair "$reverse" mpich openmpi
    sed -i 's/^host_libraries.*/host_libraries = libmpi.so.40/; s/^launchers.*/launchers = mpiexec/
        s/^application_sonames.*/application_sonames = libmpich.so.12/; s/^preload.*/preload = libmpich.so.12/' "$reverse/pair.conf"
    make_library "$reverse/libmpich.so.12" libmpich.so.12 'const char *MPI_Whose(void) { return "adapter"; }'
    $cc -o "$BATS_TEST_TMPDIR/app" "$fixtures/program.c" -Wl,--no-as-needed "$reverse/libmpich.so.12"
    export LD_LIBRARY_PATH=$fixtures/six/lib PATH=$fixtures/six/bin:$PATH
}

@test "run takes it for a host" {
    run --separate-stderr "$adapter" run --to openmpi "$BATS_TEST_TMPDIR/app"
    [ "$output" = adapter ]
    [ -z "$stderr" ]
}

@test "run finds it in a prefix, where the loader does not look" {
    LD_LIBRARY_PATH='' MPI_ADAPTER_HOST_PREFIXES=$fixtures/six run "$adapter" run "$BATS_TEST_TMPDIR/app"
    [ "$output" = adapter ]
}

@test "list shows it" {
    run "$adapter" list
    [[ $output == *"host library: $fixtures/six/lib/libmpi.so.40"* ]]
}

@test "doctor knows its family" {
    run "$adapter" doctor
    [[ $output == *"$fixtures/six/lib/libmpi.so.40: not tried natively, as there is no probe of the ABI openmpi"* ]]
}

@test "it is no MPICH" {
    cp "$fixtures/six/lib/libmpi.so.40" "$BATS_TEST_TMPDIR/libfakempich.so.12"
    LD_LIBRARY_PATH=$BATS_TEST_TMPDIR:$fixtures/six/lib run --separate-stderr "$adapter" run --from openmpi --to mpich /bin/sh
    fails_with 1 'is not an MPI library of the ABI mpich'
}
