# SPDX-License-Identifier: BSD-3-Clause
# Families and implementations are what the installed tables say: one library's ABI may be several
# implementations', and a family that nobody has heard of takes lines of tables alone.

load false_mpis

setup_file() {
    make_fixtures
    write_launcher "$fixtures/bin/mpiexec.mpich" hydra 'HYDRA build details:'
    write_launcher "$fixtures/bin/mpiexec.openmpi" openmpi 'mpiexec (Open MPI) 6.0.0'
    make_library "$fixtures/mpich/libmpi_abi.so.1" libmpi_abi.so.1 "$fake_host"
    make_library "$fixtures/parts/libopen_mpi.so.40" libopen_mpi.so.40 'int ompi_mpi_comm_world;'
    # Its handles are known in a library that it needs, or it refers to them itself.
    make_library "$fixtures/openmpi/libmpi_abi.so.1" libmpi_abi.so.1 "$fake_host" \
        -Wl,--no-as-needed "$fixtures/parts/libopen_mpi.so.40"
    make_library "$fixtures/refers/libmpi_abi.so.1" libmpi_abi.so.1 \
        "$fake_host extern int ompi_mpi_comm_world; int *world(void) { return &ompi_mpi_comm_world; }"
    cp "$fixtures/parts/libopen_mpi.so.40" "$fixtures/openmpi/"
}

setup() {
    make_installation
    shared=$prefix/lib/mpi-adapter/openmpi-to-mpiabi
    add_pair "$shared" openmpi mpiabi
    sed -i 's/^host_libraries.*/host_libraries = libmpi_abi.so.1/; s/^launchers.*/launchers = mpiexec.mpich mpiexec/
        s/^launcher_kind.*/launcher_kind = hydra/' "$shared/pair.conf"
    printf '%s\n' 'implementations = mpich openmpi' 'openmpi_launchers = mpiexec.openmpi mpiexec' \
        'openmpi_launcher_kind = openmpi' >> "$shared/pair.conf"
}

# runs_by FOLDER LAUNCHER: a program runs on the library of the folder, started by its implementation's launcher.
runs_by() {
    LD_LIBRARY_PATH=$fixtures/$1 run --separate-stderr "$adapter" run -v --to mpiabi "$fixtures/bin/app"
    echo "status $status, stdout: $output, stderr: $stderr"
    [ "$output" = adapter ]
    [[ $stderr == *"launcher $fixtures/bin/$2"* ]]
}

@test "a library that may be of either implementation is started by the one that made it" {
    runs_by mpich mpiexec.mpich
    runs_by openmpi mpiexec.openmpi
    runs_by refers mpiexec.openmpi
}

@test "list shows the launcher of the implementation that is there" {
    LD_LIBRARY_PATH=$fixtures/openmpi run "$adapter" list
    [[ $output == *"host library: $fixtures/openmpi/libmpi_abi.so.1"*"launcher:     $fixtures/bin/mpiexec.openmpi"* ]]
}

@test "the other implementation's launcher is refused by name" {
    LD_LIBRARY_PATH=$fixtures/openmpi run --separate-stderr "$adapter" run --to mpiabi \
        --launcher mpiexec.mpich "$fixtures/bin/app"
    fails_with 1 "the launcher $fixtures/bin/mpiexec.mpich is not one of openmpi"
}

@test "a pair that stands in for the library is started by its own host's launcher" {
    local below=$BATS_TEST_TMPDIR/below/mpiabi-to-openmpi
    write_pair "$below" mpiabi openmpi
    cp "$fixtures/mpich/libmpi_abi.so.1" "$below/"
    LD_LIBRARY_PATH=$below run --separate-stderr "$adapter" run -v --to mpiabi "$fixtures/bin/app"
    [ "$output" = adapter ]
    [[ $stderr == *"launcher $fixtures/bin/mpiexec.openmpi"* ]]
    # By a setting, which may go on to the library of that host; of a file, the ranks are told all of it.
    MPI_ADAPTER_HOST_LIBRARY=$below/libmpi_abi.so.1 run --separate-stderr "$adapter" run -v --to mpiabi "$fixtures/bin/app"
    [ "$output" = adapter ]
    [[ $stderr == *"host library $below/libmpi_abi.so.1"*"launcher $fixtures/bin/mpiexec.openmpi"* ]]
    echo "host_library = $below/libmpi_abi.so.1:$fixtures/host/libfakeopenmpi.so.12" > "$BATS_TEST_TMPDIR/conf"
    MPI_ADAPTER_CONFIG=$BATS_TEST_TMPDIR/conf run --separate-stderr "$adapter" run -v --to mpiabi \
        "$fixtures/bin/app" env MPI_ADAPTER_HOST_LIBRARY
    [ "$output" = "MPI_ADAPTER_HOST_LIBRARY=$below/libmpi_abi.so.1:$fixtures/host/libfakeopenmpi.so.12" ]
    [[ $stderr == *"launcher $fixtures/bin/mpiexec.openmpi"* ]]
    LD_LIBRARY_PATH=$below run --separate-stderr "$adapter" run --to mpiabi --launcher mpiexec.mpich "$fixtures/bin/app"
    fails_with 1 "the launcher $fixtures/bin/mpiexec.mpich is not one of openmpi"
}

@test "a library with another family's name does not serve" {
    if ! /sbin/ldconfig -p | awk '$1 == "libmpi_abi.so.1" { found = 1 } END { exit !found }'; then
        LD_LIBRARY_PATH=$fixtures/host run --separate-stderr "$adapter" env --from openmpi --to mpiabi
        fails_with 1 'the MPI library of mpiabi'
    fi
    mkdir "$BATS_TEST_TMPDIR/wrong"
    make_library "$BATS_TEST_TMPDIR/wrong/libmpi_abi.so.1" libmpich.so.12 "$fake_host"
    LD_LIBRARY_PATH=$BATS_TEST_TMPDIR/wrong run --separate-stderr "$adapter" env --from openmpi --to mpiabi
    fails_with 1 'is not an MPI library of the ABI mpiabi'
}

@test "doctor tells whose launcher is wanted for each library" {
    LD_LIBRARY_PATH=$fixtures/openmpi run "$adapter" doctor
    [[ $output == *"$fixtures/openmpi/libmpi_abi.so.1: not tried natively, as there is no probe of the ABI mpiabi"* ]]
    [[ $output == *"$fixtures/bin/mpiexec.openmpi starts Open MPI"* ]]
    [[ $output == *"$fixtures/bin/mpiexec.mpich starts MPICH and what shares its ABI"* ]]
}

# A family, an implementation and a kind of launcher that nobody has heard of.
invent() {
    printf 'lam %s\n' 'called LAM/MPI' 'soname liblam.so.9' 'needs liblam.so.9' 'libraries liblam.so.9' \
        'scope RTLD_LOCAL' 'implementations lamb' >> "$prefix/lib/mpi-adapter/families"
    printf 'lamb %s\n' 'version Lamb' 'marks lam_world' 'launchers mpiexec.lamb' 'launcher lamd' 'says LAM 9,Lambda' \
        'gives -give NAME:VALUE' 'starts lambs' 'called a shepherd' 'rank LAM_RANK' 'size LAM_SIZE' 'slurm none' \
        >> "$prefix/lib/mpi-adapter/implementations"
    make_library "$BATS_TEST_TMPDIR/lam/liblam.so.9" liblam.so.9 "$fake_host int lam_world;"
    mkdir "$BATS_TEST_TMPDIR/bin"
    printf '%s\n' '#!/bin/sh' 'if [ "$1" = --version ]; then echo Lambda 9; else printf "<%s>\n" "$@"; fi' \
        > "$BATS_TEST_TMPDIR/bin/mpiexec.lamb"
    chmod +x "$BATS_TEST_TMPDIR/bin/mpiexec.lamb"
    export PATH=$BATS_TEST_TMPDIR/bin:$PATH LD_LIBRARY_PATH=$BATS_TEST_TMPDIR/lam
    local pair=$prefix/lib/mpi-adapter/openmpi-to-lam
    add_pair "$pair" openmpi lam
    sed -i 's/^host_libraries.*/host_libraries = liblam.so.9/; s/^launchers.*/launchers = mpiexec.lamb/
        s/^launcher_kind.*/launcher_kind = lamd/' "$pair/pair.conf"
}

@test "a family that only the tables have is found, started and told apart" {
    invent
    run "$adapter" run --to lam -n 3 "$fixtures/bin/app"
    [ "${lines[0]}" = '<-give>' ]
    [ "${lines[1]}" = "<LD_LIBRARY_PATH:$prefix/lib/mpi-adapter/openmpi-to-lam:$BATS_TEST_TMPDIR/lam>" ]
    [ "${lines[2]} ${lines[3]}" = '<-n> <3>' ]
    run "$adapter" list --abis
    [ "$output" = $'lam\nmpiabi\nmpich\nopenmpi' ]
    run "$adapter" doctor
    [[ $output == *'mpiexec.lamb starts lambs'* ]]
    [[ $output == *"$BATS_TEST_TMPDIR/lam/liblam.so.9: not tried natively, as there is no probe of the ABI lam"* ]]
    run "$adapter" run --help
    [[ $output == *'ABI is openmpi, mpich, mpiabi or lam.'* ]]
    # Its marks are not an MPICH's.
    make_library "$BATS_TEST_TMPDIR/lam/libfakempich.so.12" libfakempich.so.12 "$fake_host int lam_world;"
    run --separate-stderr "$adapter" env --from openmpi --to mpich
    fails_with 1 'is not an MPI library of the ABI mpich'
}

@test "exec adapts a program of the launcher's own MPI where that has a library of a shared ABI alone" {
    invent
    local pair=$prefix/lib/mpi-adapter/lam-to-mpiabi own=$BATS_TEST_TMPDIR/lam shared=$BATS_TEST_TMPDIR/shared
    add_pair "$pair" lam mpiabi
    sed -i 's/^host_libraries.*/host_libraries = libmpi_abi.so.1/; s/^launchers.*/launchers = mpiexec.lamb/
        s/^launcher_kind.*/launcher_kind = lamd/' "$pair/pair.conf"
    printf '%s\n' 'implementations = lamb' 'lamb_launchers = mpiexec.lamb' 'lamb_launcher_kind = lamd' >> "$pair/pair.conf"
    echo 'mpiabi implementations lamb' >> "$prefix/lib/mpi-adapter/families"
    make_library "$shared/libmpi_abi.so.1" libmpi_abi.so.1 "$fake_host int lam_world;"
    echo 'int main(void) { return 0; }' | compile "$BATS_TEST_TMPDIR/bin/old" -Wl,--no-as-needed "$own/liblam.so.9"
    LD_LIBRARY_PATH=$shared run "$adapter" exec mpiexec.lamb -n 2 old
    echo "$output"
    [[ $output == *"<LD_LIBRARY_PATH=$pair:$shared>"*'<old>' ]]
    # As it is where its own library is there, in the path or in the launcher's installation, and where nothing else is.
    LD_LIBRARY_PATH=$own:$shared run "$adapter" exec mpiexec.lamb -n 2 old
    [ "$output" = $'<-n>\n<2>\n<old>' ]
    mkdir "$BATS_TEST_TMPDIR/lib"
    cp "$own/liblam.so.9" "$BATS_TEST_TMPDIR/lib/"
    LD_LIBRARY_PATH=$shared run "$adapter" exec mpiexec.lamb -n 2 old
    [ "$output" = $'<-n>\n<2>\n<old>' ]
    rm "$BATS_TEST_TMPDIR/lib/liblam.so.9"
    LD_LIBRARY_PATH='' run "$adapter" exec mpiexec.lamb -n 2 old
    [ "$output" = $'<-n>\n<2>\n<old>' ]
}

@test "without the tables the command says so" {
    rm "$prefix/lib/mpi-adapter/implementations"
    run --separate-stderr "$adapter" list
    fails_with 1 'lib/mpi-adapter/implementations is missing'
}
