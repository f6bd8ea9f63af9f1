# SPDX-License-Identifier: BSD-3-Clause
# Programs of the standard ABI: an MPI that has it runs them without a pair, started by the launcher of whoever
# made that MPI; where there is none, a pair does.

load false_mpis

# standard_library FILE WHOSE C_TEXT [CC_OPTION]...
standard_library() {
    local file=$1 whose=$2 text=$3
    shift 3
    make_library "$file" libmpi_abi.so.1 "$text const char *MPI_Whose(void) { return \"$whose\"; }" "$@"
}

setup_file() {
    make_fixtures
    write_launcher "$fixtures/bin/mpiexec.mpich" hydra 'HYDRA build details:'
    write_launcher "$fixtures/bin/mpiexec.openmpi" openmpi 'mpiexec (Open MPI) 6.0.0'
    make_library "$fixtures/openmpi/libopen_mpi.so.40" libopen_mpi.so.40 'int ompi_mpi_comm_world;'
    standard_library "$fixtures/mpich/libmpi_abi.so.1" "MPICH" "$fake_host"
    # As a library that wraps Open MPI has no other mark.
    standard_library "$fixtures/wrapper/libmpi_abi.so.1" wrapper "$fake_host" -Wl,--no-as-needed "$fixtures/real/libmpi.so.40"
    standard_library "$fixtures/openmpi/libmpi_abi.so.1" "Open MPI" "$fake_host" -Wl,--no-as-needed "$fixtures/openmpi/libopen_mpi.so.40"
    standard_library "$fixtures/intel/lib/libmpi_abi.so.1" Intel "$fake_host const char maker[] = \"Intel(R) MPI Library %s for Linux\";"
    cp "$fixtures/host/libfakempich.so.12" "$fixtures/intel/lib/"
    standard_library "$fixtures/pair/libmpi_abi.so.1" adapter "$fake_host"
    $cc -o "$fixtures/bin/anywhere" "$fixtures/program.c" -Wl,--no-as-needed "$fixtures/mpich/libmpi_abi.so.1"
    make_library "$fixtures/fortran/libmpi_adapter_fortran.so.1" libmpi_adapter_fortran.so.1 'const char *MPI_Whose(void);
        const char *mpi_whose_(void) { return MPI_Whose(); }' -Wl,--no-as-needed "$fixtures/mpich/libmpi_abi.so.1"
    $cc -o "$fixtures/bin/fortran" -DMPI_Whose=mpi_whose_ "$fixtures/program.c" "$fixtures/fortran/libmpi_adapter_fortran.so.1" \
        -Wl,-rpath-link,"$fixtures/mpich"
    $cc -o "$fixtures/bin/anywhere-rpath" "$fixtures/program.c" -Wl,--no-as-needed "$fixtures/mpich/libmpi_abi.so.1" \
        -Wl,--disable-new-dtags,-rpath,"$fixtures/mpich"
}

setup() {
    make_installation
    adapted=$prefix/lib/mpi-adapter/mpiabi-to-mpich
    write_pair "$adapted" mpiabi mpich
    cp "$fixtures/pair/libmpi_abi.so.1" "$adapted/"
    sed -i 's/libmpi\.so\.40/libmpi_abi.so.1/' "$adapted/pair.conf"
}

# runs_on WHOSE LAUNCHER ARGUMENT...: the program runs natively.
runs_on() {
    local whose=$1 launcher=$2
    shift 2
    run --separate-stderr "$adapter" run -v "$@"
    echo "status $status, stdout: $output, stderr: $stderr"
    [ "$status" -eq 0 ] && [ "$output" = "$whose" ] &&
        [[ $stderr == *'no pair is needed, as an MPI of the ABI mpiabi is here'*"launcher $fixtures/bin/$launcher"* ]]
}

# Of this machine's own.
has_abi() { /sbin/ldconfig -p | awk '$1 == "libmpi_abi.so.1" { found = 1 } END { exit !found }'; }

@test "where no MPI has the standard ABI, a pair runs its programs" {
    ! has_abi || skip "this machine has the standard ABI's library"
    run --separate-stderr "$adapter" run -v anywhere
    [ "$output" = adapter ]
    [[ $stderr == *"pair mpiabi-to-mpich in $adapted"* ]]
}

@test "the MPI that has it runs them, started by the launcher of who made it" {
    LD_LIBRARY_PATH=$fixtures/host:$fixtures/mpich runs_on MPICH mpiexec.mpich anywhere
    LD_LIBRARY_PATH=$fixtures/host:$fixtures/openmpi runs_on 'Open MPI' mpiexec.openmpi anywhere
    LD_LIBRARY_PATH=$fixtures/host:$fixtures/wrapper:$fixtures/real runs_on wrapper mpiexec.openmpi anywhere
    # Nothing is given to the ranks, as nothing is needed.
    run ! launcher_got 'argument -x'
    LD_LIBRARY_PATH=$fixtures/openmpi run --separate-stderr "$adapter" env anywhere
    [ "$status" -eq 0 ]
    [ -z "$output$stderr" ]
    # Its own path is the program's own choice.
    runs_on MPICH mpiexec.mpich anywhere-rpath
}

@test "ranks of a program in Fortran get the folder of its library, unless they find one" {
    mkdir -p "$prefix/lib/mpi-adapter/fortran" "$BATS_TEST_TMPDIR/own"
    cp "$fixtures/fortran/libmpi_adapter_fortran.so.1" "$prefix/lib/mpi-adapter/fortran/"
    cp "$fixtures/fortran/libmpi_adapter_fortran.so.1" "$BATS_TEST_TMPDIR/own/"
    LD_LIBRARY_PATH=$fixtures/host:$fixtures/mpich runs_on MPICH mpiexec.mpich fortran
    [[ $stderr == *"LD_LIBRARY_PATH=$fixtures/host:$fixtures/mpich:$prefix/lib/mpi-adapter/fortran"* ]]
    LD_LIBRARY_PATH=$fixtures/mpich:$BATS_TEST_TMPDIR/own runs_on MPICH mpiexec.mpich fortran
    [[ $stderr != *"$prefix/lib/mpi-adapter/fortran"* ]]
}

@test "so does --to with the standard ABI, which needs such an MPI" {
    LD_LIBRARY_PATH=$fixtures/mpich runs_on MPICH mpiexec.mpich --to mpiabi anywhere
    if ! has_abi; then
        run --separate-stderr "$adapter" run --to mpiabi anywhere
        fails_with 1 'the MPI library of mpiabi (libmpi_abi.so.1) is not found' 'give another --to, install MPICH 5.0 or later, or Open MPI 6.0 or later, or add'
    fi
    LD_LIBRARY_PATH=$adapted:$fixtures/host run --separate-stderr "$adapter" run --to mpiabi anywhere
    fails_with 1 "$adapted/libmpi_abi.so.1 belongs to a pair" 'leave out --to'
}

@test "--to with another ABI takes the pair, and so does a pair in LD_LIBRARY_PATH" {
    LD_LIBRARY_PATH=$fixtures/host:$fixtures/mpich run "$adapter" run --to mpich anywhere
    [ "$output" = adapter ]
    LD_LIBRARY_PATH=$fixtures/host:$fixtures/mpich MPI_ADAPTER_HOST=mpich run "$adapter" run anywhere
    [ "$output" = adapter ]
    LD_LIBRARY_PATH=$adapted:$fixtures/host run --separate-stderr "$adapter" run -v anywhere
    [ "$output" = adapter ]
    [[ $stderr == *"pair mpiabi-to-mpich in $adapted"* ]]
}

@test "the other implementation's launcher is refused, unless a pair can use it" {
    LD_LIBRARY_PATH=$fixtures/mpich run --separate-stderr "$adapter" run --launcher mpiexec.openmpi anywhere
    fails_with 1 "the launcher $fixtures/bin/mpiexec.openmpi is not one of mpich" "give mpich's with --launcher PATH"
    LD_LIBRARY_PATH=$fixtures/openmpi run --separate-stderr "$adapter" run --to mpiabi --launcher mpiexec.mpich anywhere
    fails_with 1 "the launcher $fixtures/bin/mpiexec.mpich is not one of openmpi"
    LD_LIBRARY_PATH=$fixtures/openmpi:$fixtures/host run "$adapter" run --launcher mpiexec.mpich anywhere
    [ "$output" = adapter ]
}

@test "a setting tells which of two MPIs is meant, whatever name its library has" {
    export LD_LIBRARY_PATH=$fixtures/openmpi
    mkdir "$BATS_TEST_TMPDIR/mpich"
    cp "$fixtures/mpich/libmpi_abi.so.1" "$BATS_TEST_TMPDIR/mpich/libmpi_abi_mpich.so.1.0.0"
    MPI_ADAPTER_HOST_LIBRARY=$BATS_TEST_TMPDIR/mpich/libmpi_abi_mpich.so.1.0.0 runs_on MPICH mpiexec.mpich anywhere
    launcher_got "LD_PRELOAD=(unset)"
    # As on Debian, where the loader finds both files and leads the common name to one of them.
    LD_LIBRARY_PATH+=:$BATS_TEST_TMPDIR/mpich MPI_ADAPTER_HOST_LIBRARY=$BATS_TEST_TMPDIR/mpich/libmpi_abi_mpich.so.1.0.0 \
        runs_on MPICH mpiexec.mpich anywhere
    # LD_PRELOAD has no way to say a name with a space.
    cp -r "$BATS_TEST_TMPDIR/mpich" "$BATS_TEST_TMPDIR/an mpich"
    MPI_ADAPTER_HOST_LIBRARY=$BATS_TEST_TMPDIR/'an mpich/libmpi_abi_mpich.so.1.0.0' \
        run --separate-stderr "$adapter" run anywhere
    fails_with 1 'LD_PRELOAD cannot hold' 'put its folder ahead in LD_LIBRARY_PATH'
    mkdir -p "$BATS_TEST_TMPDIR/site/lib"
    cp "$fixtures/mpich/libmpi_abi.so.1" "$BATS_TEST_TMPDIR/site/lib"
    MPI_ADAPTER_HOST_PREFIXES=$BATS_TEST_TMPDIR/site runs_on MPICH mpiexec.mpich anywhere
    LD_LIBRARY_PATH='' MPI_ADAPTER_HOST_PREFIXES=$BATS_TEST_TMPDIR/site runs_on MPICH mpiexec.mpich anywhere
}

@test "srun starts it, too, by the PMI of who made the MPI" {
    local bin=$BATS_TEST_TMPDIR/bin
    mkdir "$bin"
    printf '%s\n' '#!/bin/bash' '[ "$1" != --version ] || { echo slurm-wlm 22.05.8; exit; }' 'echo "$*"' > "$bin/srun"
    printf '%s\n' '#!/bin/sh' 'echo "MpiDefault = none"' > "$bin/scontrol"
    chmod +x "$bin/srun" "$bin/scontrol"
    export PATH=$bin:$PATH
    unset SLURM_MPI_TYPE
    LD_LIBRARY_PATH=$fixtures/openmpi run "$adapter" run --launcher srun -n 3 anywhere
    [ "$output" = "--job-name=anywhere -n 3 --mpi=pmix $fixtures/bin/anywhere" ]
    LD_LIBRARY_PATH=$fixtures/mpich run "$adapter" run --launcher srun -n 3 anywhere
    [ "$output" = "--job-name=anywhere -n 3 --mpi=pmi2 $fixtures/bin/anywhere" ]
}

@test "what loads MPI late is taken for the standard ABI's with --from alone" {
    printf '#!/bin/sh\nexec anywhere "$@"\n' > "$BATS_TEST_TMPDIR/script"
    chmod +x "$BATS_TEST_TMPDIR/script"
    LD_LIBRARY_PATH=$fixtures/mpich runs_on MPICH mpiexec.mpich --from mpiabi "$BATS_TEST_TMPDIR/script"
}

@test "programs of an implementation's own ABI get a pair where --to says so" {
    LD_LIBRARY_PATH=$fixtures/real:$fixtures/host run "$adapter" run app
    [ "$output" = real ]
    LD_LIBRARY_PATH=$fixtures/real:$fixtures/host run "$adapter" run --to mpich app
    [ "$output" = adapter ]
}

# intel_numbers: how the made-up library of Intel MPI is told.
intel_numbers='Intel MPI'"'"'s, which numbers MPI_SEEK_SET, MPI_ERRORS_RETURN and MPI_UNIVERSE_SIZE otherwise than the MPI-5.0 standard ABI'

@test "a library with the standard ABI's name and other numbers is not believed; a pair runs programs on the maker's other one" {
    local intel=$fixtures/intel/lib
    export LD_LIBRARY_PATH=''
    MPI_ADAPTER_HOST_PREFIXES=$fixtures/intel run --separate-stderr "$adapter" run --launcher mpiexec.fakempich anywhere
    [ "$output" = adapter ]
    [ -z "$stderr" ]
    # With an MPI of the standard ABI behind it that nobody named.
    if has_abi; then
        MPI_ADAPTER_HOST_PREFIXES=$fixtures/intel run "$adapter" check anywhere
        [[ $output == *'by mpiabi-to-mpich'* ]]
    fi
    # A module puts it into LD_LIBRARY_PATH, and the program may have been compiled with its mpi.h.
    LD_LIBRARY_PATH=$intel run --separate-stderr "$adapter" run anywhere
    [ "$output" = adapter ]
    [[ $stderr == "mpi-adapter: $intel/libmpi_abi.so.1 is $intel_numbers, and the loader finds it for $fixtures/bin/anywhere; compile that \
again with mpicc_abi if its mpi.h was that MPI's, or else give --from mpiabi" ]]
    LD_LIBRARY_PATH=$intel run --separate-stderr "$adapter" run --from mpiabi anywhere
    [ "$output" = adapter ]
    [ -z "$stderr" ]
    LD_LIBRARY_PATH=$intel run "$adapter" check anywhere
    [ "$status" -eq 0 ]
    [[ $output == *'by mpiabi-to-mpich'*"may differ:   $intel/libmpi_abi.so.1 is $intel_numbers"* ]]
    # One of the same name that is not Intel MPI's is as before.
    LD_LIBRARY_PATH=$fixtures/mpich:$intel runs_on MPICH mpiexec.mpich anywhere
}

@test "--to with the standard ABI refuses a library with other numbers" {
    local other=$prefix/lib/mpi-adapter/openmpi-to-mpiabi
    write_pair "$other" openmpi mpiabi
    cp "$fixtures/adapter/libmpi.so.40" "$other/"
    sed -i 's/^host_libraries.*/host_libraries = libmpi_abi.so.1/; s/^launchers.*/launchers = mpiexec.mpich/' "$other/pair.conf"
    export LD_LIBRARY_PATH=$fixtures/intel/lib
    run --separate-stderr "$adapter" run --to mpiabi app
    fails_with 1 "$fixtures/intel/lib/libmpi_abi.so.1 is $intel_numbers; use its library of the ABI mpich, with --to mpich"
    run --separate-stderr "$adapter" run --from mpiabi --to mpiabi anywhere
    fails_with 1 "$fixtures/intel/lib/libmpi_abi.so.1 is $intel_numbers; use its library of the ABI mpich, with --to mpich"
    LD_LIBRARY_PATH='' MPI_ADAPTER_HOST_PREFIXES=$fixtures/intel run --separate-stderr "$adapter" run --to mpiabi app
    fails_with 1 "$fixtures/intel/lib/libmpi_abi.so.1 is $intel_numbers; use its library of the ABI mpich, with --to mpich"
    run "$adapter" run --to mpich app
    [ "$output" = adapter ]
}

@test "a program whose own path leads to a library with other numbers is refused, unless --from says whose mpi.h it had" {
    local path program=$BATS_TEST_TMPDIR/program
    for path in --enable-new-dtags --disable-new-dtags; do
        $cc -o "$program" "$fixtures/program.c" -Wl,--no-as-needed "$fixtures/intel/lib/libmpi_abi.so.1" \
            -Wl,"$path",-rpath,"$fixtures/intel/lib"
        for folder in "$fixtures/host" "$fixtures/mpich:$fixtures/host"; do
            LD_LIBRARY_PATH=$folder run --separate-stderr "$adapter" run "$program"
            fails_with 1 "the path in $program leads to its MPI, and $fixtures/intel/lib/libmpi_abi.so.1 is $intel_numbers; compile it again \
with mpicc_abi, or give --from mpiabi if its mpi.h was the standard's"
        done
        run "$adapter" check "$program"
        [ "$status" -eq 1 ]
        [[ $output == *"runs here:    no, the path in $program leads to its MPI"* ]]
    done
    $cc -o "$program" "$fixtures/program.c" -Wl,--no-as-needed "$fixtures/intel/lib/libmpi_abi.so.1" \
        -Wl,--enable-new-dtags,-rpath,"$fixtures/intel/lib"
    run "$adapter" run --from mpiabi "$program"
    [ "$output" = adapter ]
}
