# SPDX-License-Identifier: BSD-3-Clause
# Which of several installations of an MPI runs a program: the one that a module, a launcher or a path names. Library and launcher are of
# one installation, and all programs of a line run on one.

load false_mpis

setup_file() {
    make_fixtures
    write_launcher "$fixtures/bin/mpiexec.openmpi" openmpi 'mpiexec (Open MPI) 5.0.7'
    # The system's MPICH, in two programs' words: by its own name, and by one that another maker has.
    make_library "$fixtures/system/libmpich.so.12" libmpich.so.12 "$(text_of system)"
    make_library "$fixtures/made/libmpi.so.12" libmpi.so.12 "$(text_of made)"
    $cc -o "$fixtures/bin/own" "$fixtures/program.c" -Wl,--no-as-needed "$fixtures/system/libmpich.so.12"
}

# text_of NAME: an MPICH of a release of its own.
text_of() {
    local release
    release=$(cksum <<< "$1")
    echo "$fake_host const char MPII_Version_string[] = \"4.${release%% *}\"; const char *MPI_Whose(void) { return \"$1\"; }"
}

setup() {
    make_installation
    change_pair 's/^host_libraries = .*/host_libraries = libmpich.so.12 libmpi.so.12/
        s/^launchers = .*/launchers = mpiexec.mpich mpiexec.hydra mpiexec/'
    export LD_LIBRARY_PATH=$fixtures/system XDG_CACHE_HOME=$BATS_TEST_TMPDIR/cache
    # The system's launcher stands alone.
    default=$BATS_TEST_TMPDIR/default
    mkdir "$default"
    write_launcher "$default/mpiexec.mpich" hydra 'HYDRA build details:'
    PATH=$fixtures/bin:$default:/usr/bin:/bin
    unset I_MPI_ROOT MPICH_DIR EBROOTMPICH EBROOTIMPI
}

# make_site NAME LIBRARY [LAUNCHER]...: an installation, $BATS_TEST_TMPDIR/NAME.
make_site() {
    local site=$BATS_TEST_TMPDIR/$1 launcher
    make_library "$site/lib/$2" "$2" "$(text_of "$1")"
    for launcher in "${@:3}"; do
        write_launcher "$site/bin/$launcher" hydra 'HYDRA build details:'
    done
}

# chooses LIBRARY LAUNCHER ARGUMENT...: the command's own words of what it chose, for files in the test's folder or the machine's.
chooses() {
    local library=$1 launcher=$2
    shift 2
    run --separate-stderr "$adapter" "$1" -v "${@:2}"
    echo "status $status, stdout: $output, stderr: $stderr"
    [[ $stderr == *"host library $library"$'\n'* ]] && [[ $stderr == *"launcher $launcher"$'\n'* ]] && [ "$status" -eq 0 ]
}

@test "a module's folder comes first, whatever its library is called" {
    make_site vendor libmpi.so.12 mpiexec.hydra mpiexec
    vendor=$BATS_TEST_TMPDIR/vendor
    LD_LIBRARY_PATH=$vendor/lib:$fixtures/system chooses "$vendor/lib/libmpi.so.12" "$vendor/bin/mpiexec.hydra" run app
    # The adapter would find it by the other name.
    [[ $stderr == *"ranks get MPI_ADAPTER_HOST_LIBRARY=$vendor/lib/libmpi.so.12"* ]]
    LD_LIBRARY_PATH=$vendor/lib:$fixtures/system chooses "$vendor/lib/libmpi.so.12" "$vendor/bin/mpiexec.hydra" run --to mpich app
    LD_LIBRARY_PATH=$fixtures/system:$vendor/lib chooses "$fixtures/system/libmpich.so.12" "$default/mpiexec.mpich" run --to mpich app
    [[ $stderr != *MPI_ADAPTER_HOST_LIBRARY* ]]
    run "$adapter" check --json app
    LD_LIBRARY_PATH=$vendor/lib:$fixtures/system run "$adapter" check --json app
    [[ $output == *"\"library\": \"$vendor/lib/libmpi.so.12\""* ]]
}

@test "a program of that MPI's runs on the module's, by a link" {
    make_site vendor libmpi.so.12 mpiexec.hydra
    vendor=$BATS_TEST_TMPDIR/vendor
    export LD_LIBRARY_PATH=$vendor/lib:$fixtures/system
    chooses "$vendor/lib/libmpi.so.12" "$vendor/bin/mpiexec.hydra" run own
    [ "$output" = vendor ]
    chooses "$vendor/lib/libmpi.so.12" "$vendor/bin/mpiexec.hydra" run --to mpich own
    [ "$output" = vendor ]
}

@test "a library of the second name that is no MPICH's does not count" {
    other=$BATS_TEST_TMPDIR/other
    make_library "$other/libmpi.so.12" libmpi.so.12 "$fake_openmpi"
    LD_LIBRARY_PATH=$other:$fixtures/system chooses "$fixtures/system/libmpich.so.12" "$default/mpiexec.mpich" run --to mpich app
}

@test "the launcher that is asked for brings its library" {
    make_site vendor libmpi.so.12 mpiexec.hydra mpiexec
    vendor=$BATS_TEST_TMPDIR/vendor
    chooses "$vendor/lib/libmpi.so.12" "$vendor/bin/mpiexec" run --launcher "$vendor/bin/mpiexec" app
    MPI_ADAPTER_LAUNCHER=$vendor/bin/mpiexec chooses "$vendor/lib/libmpi.so.12" "$vendor/bin/mpiexec" run app
    chooses "$vendor/lib/libmpi.so.12" "$vendor/bin/mpiexec" exec -- "$vendor/bin/mpiexec" -n 1 app
    [ "$output" = adapter ]
    # A program of its own ABI, which would load another one.
    chooses "$vendor/lib/libmpi.so.12" "$vendor/bin/mpiexec" exec -- "$vendor/bin/mpiexec" -n 1 own
    [ "$output" = vendor ]
    # A setting names the library.
    MPI_ADAPTER_HOST_LIBRARY=$fixtures/system/libmpich.so.12 \
        chooses "$fixtures/system/libmpich.so.12" "$vendor/bin/mpiexec" run --launcher "$vendor/bin/mpiexec" app
    # A wrapper stands alone.
    chooses "$fixtures/system/libmpich.so.12" "$default/mpiexec.mpich" run --launcher "$default/mpiexec.mpich" app
}

@test "an MPI that is first in PATH, or that a variable names, is found" {
    make_site vendor libmpi.so.12 mpiexec.hydra mpiexec
    vendor=$BATS_TEST_TMPDIR/vendor
    export LD_LIBRARY_PATH=''
    if ! /sbin/ldconfig -p | grep -qE 'libmpi(ch)?\.so\.12'; then
        MPICH_DIR=$vendor chooses "$vendor/lib/libmpi.so.12" "$vendor/bin/mpiexec.hydra" run --to mpich app
    fi
    PATH=$vendor/bin:$PATH chooses "$vendor/lib/libmpi.so.12" "$vendor/bin/mpiexec.hydra" run --to mpich app
    # LD_LIBRARY_PATH says more.
    LD_LIBRARY_PATH=$fixtures/system PATH=$vendor/bin:$PATH \
        chooses "$fixtures/system/libmpich.so.12" "$default/mpiexec.mpich" run --to mpich app
}

@test "a launcher of another installation is not taken, and one of the same in PATH is" {
    make_site one libmpich.so.12
    make_site three libmpich.so.12 mpiexec.mpich
    one=$BATS_TEST_TMPDIR/one three=$BATS_TEST_TMPDIR/three
    rm "$default/mpiexec.mpich"
    PATH=$three/bin:$fixtures/bin:$default:$BATS_TEST_TMPDIR/later:/usr/bin:/bin
    export LD_LIBRARY_PATH=$one/lib
    run --separate-stderr "$adapter" run --to mpich app
    fails_with 1 "the launcher $three/bin/mpiexec.mpich is of another installation than $one/lib/libmpich.so.12" '--launcher PATH'
    write_launcher "$BATS_TEST_TMPDIR/later/mpiexec.mpich" hydra 'HYDRA build details:'
    chooses "$one/lib/libmpich.so.12" "$BATS_TEST_TMPDIR/later/mpiexec.mpich" run --to mpich app
    # The user's word is taken.
    rm "$BATS_TEST_TMPDIR/later/mpiexec.mpich"
    chooses "$three/lib/libmpich.so.12" "$three/bin/mpiexec.mpich" run --to mpich --launcher "$three/bin/mpiexec.mpich" app
    # Two of one release are one MPI.
    cp "$three/lib/libmpich.so.12" "$one/lib/"
    chooses "$one/lib/libmpich.so.12" "$three/bin/mpiexec.mpich" run --to mpich app
}

@test "a line's launcher that the pair cannot use is refused" {
    change_pair 's/^launcher_kind = .*/launcher_kind = openmpi/'
    run --separate-stderr "$adapter" exec -- "$default/mpiexec.mpich" -n 1 app
    fails_with 1 "the launcher $default/mpiexec.mpich is not one of mpich; put mpich's in the line, or use 'mpi-adapter env'"
}

@test "all programs of a line run on one MPI" {
    make_site vendor libmpi.so.12 mpiexec.hydra mpiexec
    vendor=$BATS_TEST_TMPDIR/vendor
    export MPI_ADAPTER_HOST_PREFIXES=$vendor
    chooses "$vendor/lib/libmpi.so.12" "$vendor/bin/mpiexec.hydra" run --to mpich -n 1 app : -n 1 own
    [[ $stderr == *'program '*app*"host library $vendor/lib/libmpi.so.12"*'program '*own*"host library $vendor/lib/libmpi.so.12"* ]]
    unset MPI_ADAPTER_HOST_PREFIXES
    chooses "$vendor/lib/libmpi.so.12" "$vendor/bin/mpiexec" exec -- "$vendor/bin/mpiexec" -n 1 app : -n 1 own
    [[ $stderr == *'program '*app*"host library $vendor/lib/libmpi.so.12"*'program '*own*"host library $vendor/lib/libmpi.so.12"* ]]
    chooses "$vendor/lib/libmpi.so.12" "$vendor/bin/mpiexec" exec -- "$vendor/bin/mpiexec" -n 1 own : -n 1 app
    [ "$(grep -c "host library $vendor/lib/libmpi.so.12" <<< "$stderr")" -eq 2 ]
}

@test "a maker's library is told where it is installed" {
    make_library "$BATS_TEST_TMPDIR/intel/lib/libmpi.so.12" libmpi.so.12 \
        "$(text_of intel) const char maker[] = \"Intel(R) MPI Library %s for Linux\";"
    write_launcher "$BATS_TEST_TMPDIR/intel/bin/mpiexec.hydra" hydra 'Intel(R) MPI'
    export LD_LIBRARY_PATH=$BATS_TEST_TMPDIR/intel/lib:$fixtures/system
    for program in app own; do
        chooses "$BATS_TEST_TMPDIR/intel/lib/libmpi.so.12" "$BATS_TEST_TMPDIR/intel/bin/mpiexec.hydra" run --to mpich $program
        [[ $stderr == *"ranks get I_MPI_ROOT=$BATS_TEST_TMPDIR/intel"* ]]
        I_MPI_ROOT=$BATS_TEST_TMPDIR/intel run --separate-stderr "$adapter" run -v --to mpich $program
        [[ $stderr != *"ranks get I_MPI_ROOT"* ]]
    done
}

@test "lines for Intel's launcher have the words that it heeds" {
    make_library "$BATS_TEST_TMPDIR/intel/lib/libmpi.so.12" libmpi.so.12 "$(text_of intel)"
    write_launcher "$BATS_TEST_TMPDIR/intel/bin/mpiexec.hydra" hydra 'Intel(R) MPI Library for Linux* OS'
    export MPI_ADAPTER_HOST_PREFIXES=$BATS_TEST_TMPDIR/intel
    run "$adapter" exec --print --to mpich -- mpirun.openmpi --bind-to none -np 2 app
    [[ $output == "I_MPI_PIN=0 $BATS_TEST_TMPDIR/intel/bin/mpiexec.hydra "* ]]
    run "$adapter" exec --print --to mpich -- mpirun.openmpi --host a:2,b:1 --bind-to core -np 3 app
    [[ $output == "I_MPI_PIN_DOMAIN=core $BATS_TEST_TMPDIR/intel/bin/mpiexec.hydra "*"-machinefile /dev/fd/"*a:2*b:1* ]]
    unset MPI_ADAPTER_HOST_PREFIXES
    run "$adapter" exec --print --to mpich -- mpirun.openmpi --host a:2,b:1 --bind-to core -np 3 app
    [[ $output == "mpiexec.mpich -hosts a:2"*",b:1 -bind-to core "* ]]
}
