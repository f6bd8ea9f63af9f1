# SPDX-License-Identifier: BSD-3-Clause
# A program that no pair can run here is run by its own MPI; where that is missing, too, the package is named.

load false_mpis

setup_file() {
    make_fixtures
    write_launcher "$fixtures/bin/mpiexec.openmpi" openmpi 'mpiexec (Open MPI) 5.0.7'
}

setup() {
    make_installation
    export LD_LIBRARY_PATH=$fixtures/real
}

@test "its own MPI runs it where no pair's is there, and -v says so" {
    run --separate-stderr "$adapter" run -v -n 2 app whose
    echo "$output $stderr"
    [ "$status" -eq 0 ]
    [ "$output" = real ]
    [[ $stderr == *"no pair runs $fixtures/bin/app here, so its own MPI does"* ]]
    launcher_got 'LD_PRELOAD=(unset)'
    run --separate-stderr "$adapter" run app whose
    [ "$output" = real ]
    [ -z "$stderr" ]
    run "$adapter" exec -- mpiexec.openmpi -n 2 app whose
    [ "$output" = real ]
}

@test "and where no pair is for its ABI" {
    change_pair 's/^application = .*/application = other/; s/^application_sonames = .*/application_sonames = libother.so.1/'
    run --separate-stderr "$adapter" run app whose
    echo "$output $stderr"
    [ "$output" = real ]
}

@test "a pair whose MPI is there comes first" {
    LD_LIBRARY_PATH=$fixtures/host:$LD_LIBRARY_PATH run "$adapter" run app whose
    [ "$output" = adapter ]
}

@test "--to with its own ABI needs no pair" {
    LD_LIBRARY_PATH=$fixtures/host:$LD_LIBRARY_PATH run "$adapter" run --to openmpi app whose
    [ "$output" = real ]
    LD_LIBRARY_PATH=$fixtures/host:$LD_LIBRARY_PATH MPI_ADAPTER_HOST=openmpi run "$adapter" run app whose
    [ "$output" = real ]
}

@test "a host, a library or a pair that is asked for and is wrong is no reason" {
    run --separate-stderr "$adapter" run --to mpich app
    fails_with 1 'the MPI library of mpich (libfakempich.so.12 libothermpich.so.12) is not found; install it'
    mkdir -p wrong
    make_library "$BATS_TEST_TMPDIR/wrong/libfakempich.so.12" libfakempich.so.12 'int x;'
    LD_LIBRARY_PATH=$BATS_TEST_TMPDIR/wrong:$LD_LIBRARY_PATH run --separate-stderr "$adapter" run app
    fails_with 1 'is not an MPI library of the ABI mpich'
    echo "host_library = $BATS_TEST_TMPDIR/gone.so" >> "$pair/pair.conf"
    run --separate-stderr "$adapter" run app
    fails_with 1 "the MPI library of mpich ($BATS_TEST_TMPDIR/gone.so) is not found"
    sed -i '/^host_library/d' "$pair/pair.conf"
    MPI_ADAPTER_HOST_LIBRARY=$BATS_TEST_TMPDIR/gone.so run --separate-stderr "$adapter" run app
    fails_with 1 "the MPI library of mpich ($BATS_TEST_TMPDIR/gone.so) is not found"
    rm "$pair/libmpi.so.40"
    run --separate-stderr "$adapter" run app
    fails_with 1 'libmpi.so.40 is missing; install the pair again'
}

@test "the package that is missing is named on systems that the table knows" {
    grep -qE '^ID(_LIKE)?="?.*debian' /etc/os-release || skip "no Debian"
    run --separate-stderr "$adapter" run --to mpich app
    fails_with 1 'install it, as package mpich, or add its folder to LD_LIBRARY_PATH'
    export LD_LIBRARY_PATH=$fixtures/host
    change_pair 's/^launchers = .*/launchers = absent/'
    run --separate-stderr "$adapter" run app
    fails_with 1 'no launcher of mpich (absent) is in PATH; install it, as package mpich, or give --launcher PATH'
}
