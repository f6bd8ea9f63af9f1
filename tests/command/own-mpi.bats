# SPDX-License-Identifier: BSD-3-Clause
# A program whose own MPI is here runs on that, unless something says another one; it must be whole, and have its launcher.
# The package is named where none is here.

load false_mpis

setup_file() {
    make_fixtures
    write_launcher "$fixtures/bin/mpiexec.openmpi" openmpi 'mpiexec (Open MPI) 5.0.7'
}

setup() {
    make_installation
    export LD_LIBRARY_PATH=$fixtures/host:$fixtures/real
    elsewhere=$BATS_TEST_TMPDIR/elsewhere
}

# runs_on WHOSE ARGUMENT...: what it runs on.
runs_on() {
    local whose=$1
    shift
    run --separate-stderr "$adapter" run "$@" whose
    echo "status $status, stdout: $output, stderr: $stderr"
    [ "$status" -eq 0 ] && [ "$output" = "$whose" ] && [ -z "$stderr" ]
}

# make_elsewhere C_TEXT [CC_OPTION]...: a library for C in a prefix, in LD_LIBRARY_PATH ahead of others, whose launcher is there, too.
make_elsewhere() {
    local text=$1
    shift
    make_library "$elsewhere/lib/libmpi.so.40" libmpi.so.40 "$text" "$@"
    mkdir -p "$elsewhere/bin"
    cp "$fixtures/bin/mpiexec.openmpi" "$elsewhere/bin/"
    LD_LIBRARY_PATH=$elsewhere/lib:$fixtures/host
}

elsewhere_text="$fake_openmpi const char *MPI_Whose(void) { return \"elsewhere\"; }"

@test "its own MPI runs it though a pair's is here, and -v says so" {
    runs_on real -n 2 app
    launcher_got 'LD_PRELOAD=(unset)'
    run --separate-stderr "$adapter" run -v app whose
    echo "$stderr"
    [[ $stderr == *'no pair is needed, as an MPI of the ABI openmpi is here'*"launcher $fixtures/bin/mpiexec.openmpi"* ]]
    LD_LIBRARY_PATH=$fixtures/real runs_on real app
    run "$adapter" exec -- mpiexec.openmpi -n 2 app whose
    [ "$output" = real ]
    run "$adapter" exec -- mpiexec.fakempich -n 2 app whose
    [ "$output" = adapter ]
}

@test "variables that ask for what a pair does are named, once" {
    MPI_ADAPTER_TRACE=x MPI_ADAPTER_STATS=1 run --separate-stderr "$adapter" run app whose
    [ "$output" = real ]
    [ "$stderr" = "mpi-adapter: MPI_ADAPTER_STATS and MPI_ADAPTER_TRACE: no effect, as $fixtures/bin/app runs on its own MPI without a pair; \
give --to ABI for another MPI" ]
    MPI_ADAPTER_STATS=1 runs_on adapter --to mpich app
    MPI_ADAPTER_STATS=1 runs_on real --to openmpi app
}

@test "and where no pair is for its ABI" {
    change_pair 's/^application = .*/application = other/; s/^application_sonames = .*/application_sonames = libother.so.1/'
    runs_on real app
}

@test "an option, a variable or a setting says another one" {
    runs_on adapter --to mpich app
    runs_on adapter --preload app
    runs_on adapter --launcher mpiexec.fakempich app
    MPI_ADAPTER_HOST=mpich runs_on adapter app
    MPI_ADAPTER_LAUNCHER=mpiexec.fakempich runs_on adapter app
    MPI_ADAPTER_HOST_LIBRARY=$fixtures/host/libfakempich.so.12 runs_on adapter app
    echo 'host = mpich' > "$BATS_TEST_TMPDIR/site.conf"
    MPI_ADAPTER_CONFIG=$BATS_TEST_TMPDIR/site.conf runs_on adapter app
    mkdir -p "$BATS_TEST_TMPDIR/site/lib"
    cp "$fixtures/host/libfakempich.so.12" "$BATS_TEST_TMPDIR/site/lib/"
    MPI_ADAPTER_HOST_PREFIXES=$BATS_TEST_TMPDIR/site runs_on adapter app
}

@test "an option, a variable or a setting says its own" {
    runs_on real --to openmpi app
    runs_on real --launcher mpiexec.openmpi app
    MPI_ADAPTER_HOST=openmpi runs_on real app
    MPI_ADAPTER_LAUNCHER=mpiexec.openmpi runs_on real app
    make_elsewhere "$elsewhere_text"
    MPI_ADAPTER_HOST_PREFIXES=$elsewhere LD_LIBRARY_PATH=$fixtures/host runs_on elsewhere app
}

@test "so does a module, which puts one alone into LD_LIBRARY_PATH" {
    LD_LIBRARY_PATH=$fixtures/host runs_on adapter rpath-app
    LD_LIBRARY_PATH=$fixtures/real:$fixtures/host runs_on real rpath-app
    LD_LIBRARY_PATH='' runs_on real rpath-app
    # The pair's MPI is here, and no module's.
    make_library "$pair/libfakempich.so.12" libfakempich.so.12 "$fake_host"
    LD_LIBRARY_PATH='' runs_on real rpath-app
    LD_LIBRARY_PATH=$pair runs_on adapter app
}

@test "its launcher must be of the same installation" {
    make_elsewhere "$elsewhere_text"
    runs_on elsewhere app
    launcher_got "LD_LIBRARY_PATH=$LD_LIBRARY_PATH"
    run --separate-stderr "$adapter" run -v app
    [[ $stderr == *"launcher $elsewhere/bin/mpiexec.openmpi"* ]]
    write_launcher "$elsewhere/bin/mpiexec.openmpi" hydra 'HYDRA build details:'
    runs_on adapter app
    rm "$elsewhere/bin/mpiexec.openmpi"
    runs_on adapter app
    runs_on elsewhere --launcher mpiexec.openmpi app
    # Better than nothing.
    export LD_LIBRARY_PATH=$elsewhere/lib
    run --separate-stderr "$adapter" run -v app whose
    [ "$output" = elsewhere ]
    [[ $stderr == *"no pair runs $fixtures/bin/app here, so its own MPI does"* ]]
}

@test "one that lacks what the program calls is not taken" {
    make_elsewhere "$fake_openmpi int MPI_Other(void) { return 0; }"
    runs_on adapter app
    # It may live without.
    make_elsewhere "$elsewhere_text"
    compile "$BATS_TEST_TMPDIR/weak" -DMAIN "$fixtures/program.c" -Wl,--no-as-needed "$elsewhere/lib/libmpi.so.40" <<< \
        '__attribute__((weak)) int MPI_Newer(void); int (*newer)(void) = MPI_Newer;'
    runs_on elsewhere "$BATS_TEST_TMPDIR/weak"
}

@test "nor is one whose library for Fortran is missing, or older than the program" {
    make_elsewhere "$elsewhere_text"
    make_library "$BATS_TEST_TMPDIR/fortran/libmpi_mpifh.so.40" libmpi_mpifh.so.40 'int mpi_send_c_(void) { return 0; }'
    compile "$BATS_TEST_TMPDIR/program" "$fixtures/program.c" -Wl,--no-as-needed "$elsewhere/lib/libmpi.so.40" \
        "$BATS_TEST_TMPDIR/fortran/libmpi_mpifh.so.40" <<< 'int mpi_send_c_(void); int (*used)(void) = mpi_send_c_;'
    cp "$BATS_TEST_TMPDIR/fortran/libmpi_mpifh.so.40" "$pair/"
    runs_on adapter "$BATS_TEST_TMPDIR/program"
    make_library "$elsewhere/lib/libmpi_mpifh.so.40" libmpi_mpifh.so.40 'int mpi_send_(void) { return 0; }'
    runs_on adapter "$BATS_TEST_TMPDIR/program"
    cp "$BATS_TEST_TMPDIR/fortran/libmpi_mpifh.so.40" "$elsewhere/lib/"
    runs_on elsewhere "$BATS_TEST_TMPDIR/program"
    # It may be of another release than the library for C.
    make_library "$elsewhere/lib/libmpi_mpifh.so.40" libmpi_mpifh.so.40 \
        'int PMPI_Newer(void); int mpi_send_c_(void) { return PMPI_Newer(); }'
    runs_on adapter "$BATS_TEST_TMPDIR/program"
}

@test "nor where a path in the program leads to what is not this MPI" {
    make_elsewhere "$elsewhere_text"
    make_program "$BATS_TEST_TMPDIR/program" -Wl,--disable-new-dtags,-rpath,"$BATS_TEST_TMPDIR/wrong"
    make_library "$BATS_TEST_TMPDIR/wrong/libmpi.so.40" libmpi.so.40 'const char *MPI_Whose(void) { return "wrong"; }'
    runs_on adapter "$BATS_TEST_TMPDIR/program"
}

@test "what an interpreter or a script loads is looked at, and a guess is no reason" {
    cd "$BATS_TEST_TMPDIR"
    printf '#!/bin/sh\nexec %s "$@"\n' "$fixtures/bin/app" > script
    chmod +x script
    runs_on real ./script
    runs_on real env "$fixtures/bin/app"
    make_elsewhere "$fake_openmpi int MPI_Other(void) { return 0; }"
    runs_on adapter ./script
    LD_LIBRARY_PATH=$fixtures/host:$fixtures/real
    compile ./lazy -ldl <<< '#include <dlfcn.h>
        #include <stdio.h>
        int main(void)
        {
            const char *(*whose)(void) = dlsym(dlopen("libmpi.so.40", RTLD_NOW), "MPI_Whose");
            puts(whose());
        }'
    runs_on real --from openmpi ./lazy
    runs_on adapter ./lazy
}

@test "programs of one line run on the first one's, if all do" {
    make_library "$fixtures/mpich/libmpich.so.12" libmpich.so.12 "$fake_host const char *MPI_Whose(void) { return \"mpich\"; }"
    make_library "$pair/../stand-in.so" libmpich.so.12 "$fake_host const char *MPI_Whose(void) { return \"to openmpi\"; }"
    cd "$BATS_TEST_TMPDIR"
    $cc -o other "$fixtures/program.c" -Wl,--no-as-needed "$fixtures/mpich/libmpich.so.12"
    write_launcher "$BATS_TEST_TMPDIR/bin/mpiexec.fakempich" hydra 'HYDRA build details:'
    LD_LIBRARY_PATH+=:$fixtures/mpich
    run --separate-stderr "$adapter" run -v -n 1 app : -n 1 app
    [[ $stderr == *"launcher $fixtures/bin/mpiexec.openmpi"* ]]
    run --separate-stderr "$adapter" run -v -n 1 app : -n 1 ./other
    echo "$stderr"
    [[ $stderr == *"launcher $fixtures/bin/mpiexec.fakempich"*"program ./other"*"host library $fixtures/host/libfakempich.so.12"* ]]
    # A pair that runs the second one there.
    add_pair "$prefix/lib/mpi-adapter/mpich-to-openmpi" mpich openmpi
    mv "$pair/../stand-in.so" "$prefix/lib/mpi-adapter/mpich-to-openmpi/libmpich.so.12"
    rm "$prefix/lib/mpi-adapter/mpich-to-openmpi/libmpi.so.40"
    sed -i 's/^application_sonames = .*/application_sonames = libmpich.so.12/; s/^host_libraries = .*/host_libraries = libmpi.so.40/
        s/^launchers = .*/launchers = mpiexec.openmpi/; s/^preload = .*/preload = libmpich.so.12/' \
        "$prefix/lib/mpi-adapter/mpich-to-openmpi/pair.conf"
    run --separate-stderr "$adapter" run -v -n 1 app : -n 1 ./other
    echo "$stderr"
    [[ $stderr == *"launcher $fixtures/bin/mpiexec.openmpi"*'pair mpich-to-openmpi in '* ]]
}

@test "check and explain say the same, and how to have it otherwise" {
    : > "$pair/procedures.conf"
    run --separate-stderr "$adapter" check app
    echo "$output $stderr"
    [ "$status" -eq 0 ]
    [ -z "$stderr" ]
    [ "${lines[1]}" = '  runs here:    yes, on Open MPI, without a pair' ]
    [ "${lines[2]}" = '  or:           on MPICH with --to mpich' ]
    run "$adapter" explain app
    grep -qxF 'runs here       yes, on Open MPI, without a pair; or on MPICH with --to mpich' <<< "$output"
    MPI_ADAPTER_HOST=mpich run "$adapter" check app
    [ "${lines[1]}" = '  runs here:    yes, on MPICH by openmpi-to-mpich' ]
    [ "${lines[2]}" = '  or:           on Open MPI with --to openmpi' ]
    MPI_ADAPTER_HOST=mpich run "$adapter" explain app
    grep -qxF 'runs here       yes, on MPICH by openmpi-to-mpich; or on Open MPI with --to openmpi' <<< "$output"
    LD_LIBRARY_PATH=$fixtures/real run "$adapter" check app
    [ "${lines[1]}" = '  runs here:    yes, on Open MPI, without a pair' ]
    [[ ${lines[2]} == '  built for:'* ]]
    run "$adapter" check --json app
    python3 -c 'import json, sys; (program,) = json.load(sys.stdin)["programs"]
assert program["pair"] is None and program["host"] == "openmpi" and program["also_on"] == ["mpich"], program' <<< "$output"
}

@test "a release is what the library exports as that" {
    make_elsewhere "$elsewhere_text const char ompi_version_string[] = \"5.0.7\";"
    run "$adapter" check app
    [ "${lines[1]}" = '  runs here:    yes, on Open MPI 5.0.7, without a pair' ]
}

@test "a host, a library or a pair that is asked for and is wrong is no reason to run it on its own" {
    export LD_LIBRARY_PATH=$fixtures/real
    run --separate-stderr "$adapter" run --to mpich app
    fails_with 1 'the MPI library of mpich (libfakempich.so.12 libothermpich.so.12) is not found; install it'
    MPI_ADAPTER_HOST_LIBRARY=$BATS_TEST_TMPDIR/gone.so run --separate-stderr "$adapter" run app
    fails_with 1 "the MPI library of mpich ($BATS_TEST_TMPDIR/gone.so) is not found"
    export MPI_ADAPTER_HOST=mpich
    make_library "$BATS_TEST_TMPDIR/wrong/libfakempich.so.12" libfakempich.so.12 'int x;'
    LD_LIBRARY_PATH=$BATS_TEST_TMPDIR/wrong:$LD_LIBRARY_PATH run --separate-stderr "$adapter" run app
    fails_with 1 'is not an MPI library of the ABI mpich'
    echo "host_library = $BATS_TEST_TMPDIR/gone.so" >> "$pair/pair.conf"
    run --separate-stderr "$adapter" run app
    fails_with 1 "the MPI library of mpich ($BATS_TEST_TMPDIR/gone.so) is not found"
    sed -i '/^host_library/d' "$pair/pair.conf"
    rm "$pair/libmpi.so.40"
    run --separate-stderr "$adapter" run app
    fails_with 1 'libmpi.so.40 is missing; install the pair again'
}

@test "the package that is missing is named on systems that the table knows" {
    grep -qE '^ID(_LIKE)?="?.*debian' /etc/os-release || skip "no Debian"
    LD_LIBRARY_PATH='' run --separate-stderr "$adapter" run --to mpich app
    fails_with 1 'install it, as package mpich, or add its folder to LD_LIBRARY_PATH'
    export LD_LIBRARY_PATH=$fixtures/host
    change_pair 's/^launchers = .*/launchers = absent/'
    run --separate-stderr "$adapter" run app
    fails_with 1 'no launcher of mpich (absent) is in PATH; install it, as package mpich, or give --launcher PATH'
}
