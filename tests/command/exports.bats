# SPDX-License-Identifier: BSD-3-Clause
# Whose a library is, and what a program was built with, is told by what they export and import: file names are
# vendors', or of another family's earlier release, or anybody's.

load false_mpis

old_openmpi='int PMPI_Init(void) { return 0; } int MPI_Init(void) { return 0; } int ompi_mpi_comm_world, ompi_mpi_comm_self;'
uses_self='extern int ompi_mpi_comm_self; int MPI_Init(void); int main(void) { MPI_Init(); return ompi_mpi_comm_self; }'

setup_file() {
    make_fixtures
    # Open MPI 1.10, whose libraries have names of MPICH's and of its own.
    make_library "$fixtures/old/libmpi.so.12" libmpi.so.12 "$old_openmpi"
    make_library "$fixtures/old/libmpi_mpifh.so.12" libmpi_mpifh.so.12 'void mpi_init_(int *e) { *e = 0; }'
    make_library "$fixtures/older/libmpi.so.1" libmpi.so.1 "$old_openmpi"
    # MPICH, by the name that it has where it builds itself, and by a vendor's.
    make_library "$fixtures/mpich/libmpi.so.12" libmpi.so.12 "$fake_host int MPI_Init(void) { return 0; }"
    make_library "$fixtures/vendor/libmpi_cray.so.12" libmpi_cray.so.12 "$fake_host int MPI_Init(void) { return 0; }"
    write_launcher "$fixtures/bin/mpiexec.mpich" hydra 'HYDRA build details:'
}

setup() { make_installation; cd "$BATS_TEST_TMPDIR"; }

# refuses PROGRAM TEXT: in whatever way it is asked.
refuses() {
    local command
    for command in run env explain; do
        run --separate-stderr "$adapter" "$command" "$1"
        fails_with 1 "$2" || { echo "$command"; return 1; }
    done
}

# built FILE TEXT [CC_OPTION]...: a program.
built() {
    local file=$1 text=$2
    shift 2
    compile "$file" -Wl,--no-as-needed "$@" <<< "$text"
}

@test "a program of Open MPI 1.10 is not taken for one of MPICH" {
    built "$PWD/c" "$uses_self" "$fixtures/old/libmpi.so.12"
    refuses "$PWD/c" 'was built with Open MPI 1.10, whose ABI no pair serves; use a program built with Open MPI 2 or later'
    # Nor where an MPICH is found by that name, or its own library.
    LD_LIBRARY_PATH+=:$fixtures/mpich refuses "$PWD/c" 'was built with Open MPI 1.10'
    LD_LIBRARY_PATH+=:$fixtures/old refuses "$PWD/c" 'was built with Open MPI 1.10'
    run --separate-stderr "$adapter" run --from mpich "$PWD/c"
    fails_with 1 'was built with Open MPI 1.10'
    # By position-independent code, which has no copies of data.
    built "$PWD/pic" "$uses_self" -fPIC -pie -fno-plt "$fixtures/old/libmpi.so.12"
    refuses "$PWD/pic" 'was built with Open MPI 1.10'
}

@test "nor is one in Fortran, which refers to no data of Open MPI's" {
    built "$PWD/fortran" 'void mpi_init_(int *); int main(void) { int e; mpi_init_(&e); return e; }' \
        "$fixtures/old/libmpi_mpifh.so.12" "$fixtures/old/libmpi.so.12"
    refuses "$PWD/fortran" 'was built with Open MPI 1.10'
}

@test "nor one that leaves MPI to a library of its own" {
    make_library "$PWD/libwork.so" libwork.so 'extern int ompi_mpi_comm_self; int work(void) { return ompi_mpi_comm_self; }' \
        -Wl,--no-as-needed "$fixtures/old/libmpi.so.12"
    built "$PWD/indirect" 'int work(void); int main(void) { return work(); }' "$PWD/libwork.so" "-Wl,-rpath,$PWD" \
        "-Wl,-rpath-link,$fixtures/old"
    refuses "$PWD/indirect" 'was built with Open MPI 1.10'
}

@test "releases before that are named, too" {
    built "$PWD/old" "$uses_self" "$fixtures/old/libmpi.so.12"
    built "$PWD/older" "$uses_self" "$fixtures/older/libmpi.so.1"
    refuses "$PWD/older" 'was built with Open MPI 1.5 to 1.8'
    # Without a mark it may be anybody's.
    built "$PWD/anybody" 'int main(void) { return 0; }' "$fixtures/older/libmpi.so.1"
    refuses "$PWD/anybody" 'needs libmpi.so.1, an MPI library of no known ABI'
}

@test "a program of MPICH with the same library is still one of MPICH" {
    built "$PWD/mpich" 'int MPI_Init(void); int main(void) { return MPI_Init(); }' "$fixtures/mpich/libmpi.so.12"
    change_pair 's/^host =.*/host = openmpi/; s/^application =.*/application = mpich/
        s/fakempich/fakeopenmpi/g; s/otherfakempich/otherfakeopenmpi/; s/^launcher_kind.*/launcher_kind = openmpi/'
    cp "$fixtures/mpich/libmpi.so.12" "$pair/"
    for folder in "$fixtures/mpich" "$fixtures/old"; do
        LD_LIBRARY_PATH+=:$folder run --separate-stderr "$adapter" run -v "$PWD/mpich"
        echo "$stderr"
        [ "$status" -eq 0 ]
        [[ $stderr == *'compiled against mpich'* ]]
    done
}

@test "a library of Open MPI 1.10 serves neither family, and is named" {
    local file=$fixtures/old/libmpi.so.12 family
    for family in mpich openmpi; do
        change_pair "s/^host = .*/host = $family/; s/^application = .*/application = mpiabi/"
        MPI_ADAPTER_HOST_LIBRARY=$file run --separate-stderr "$adapter" env --from mpiabi --to "$family"
        fails_with 1 "$file (Open MPI 1.10) is not an MPI library of the ABI $family"
    done
    # By any name.
    cp "$file" "$PWD/libfakempich.so.12"
    LD_LIBRARY_PATH=$PWD run --separate-stderr "$adapter" env --from mpiabi --to openmpi
    fails_with 1 "$PWD/libfakempich.so.12 (Open MPI 1.10) is not an MPI library of the ABI openmpi"
    cp "$fixtures/older/libmpi.so.1" "$PWD/libfakempich.so.12"
    LD_LIBRARY_PATH=$PWD run --separate-stderr "$adapter" env --from mpiabi --to openmpi
    fails_with 1 "$PWD/libfakempich.so.12 (Open MPI 1.5 to 1.8) is not an MPI library of the ABI openmpi"
}

@test "doctor and build name it, too" {
    LD_LIBRARY_PATH=$fixtures/old:$fixtures/older run "$adapter" doctor
    [[ $output == *"-     $fixtures/old/libmpi.so.12 (Open MPI 1.10): of no known ABI"* ]]
    [[ $output == *"-     $fixtures/older/libmpi.so.1 (Open MPI 1.5 to 1.8): of no known ABI"* ]]
    mkdir -p "$PWD/site"
    cp -r "$fixtures/old" "$PWD/site/lib"
    run --separate-stderr "$adapter" build --host "$PWD/site"
    fails_with 1 "$PWD/site/lib/libmpi.so.12 (Open MPI 1.10) is an MPI library of no known ABI" 'give an MPI with the ABI of'
}

# is_host LIBRARY SETTING...: the vendor's library is the host, and ranks are told so.
is_host() {
    run --separate-stderr env "${@:2}" "$adapter" run "$fixtures/bin/app" env MPI_ADAPTER_HOST_LIBRARY
    echo "$output $stderr"
    [ "$output" = "MPI_ADAPTER_HOST_LIBRARY=$1" ]
}

@test "a host whose library has a vendor's name is found by what it exports" {
    local library=$fixtures/vendor/libmpi_cray.so.12
    is_host "$library" "LD_LIBRARY_PATH=$fixtures/vendor"
    mkdir -p "$PWD/vendors"
    ln -s "$fixtures/vendor" "$PWD/vendors/lib"
    is_host "$PWD/vendors/lib/libmpi_cray.so.12" "MPI_ADAPTER_HOST_PREFIXES=$PWD/vendors" LD_LIBRARY_PATH=
    LD_LIBRARY_PATH=$fixtures/vendor run "$adapter" doctor
    [[ $output == *"$library: not tried natively, as there is no probe of the ABI mpich"* ]]
    # What has the name alone is none.
    make_library "$PWD/name/libmpi_cray.so.12" libmpi_cray.so.12 'int PMPI_Init(void) { return 0; }'
    LD_LIBRARY_PATH=$PWD/name run --separate-stderr "$adapter" run "$fixtures/bin/app"
    fails_with 1 'the MPI library of mpich (libfakempich.so.12 libothermpich.so.12) is not found'
    LD_LIBRARY_PATH=$PWD/name run "$adapter" doctor
    [[ $output == *"-     $PWD/name/libmpi_cray.so.12: of no known ABI"* ]]
}

@test "a usual name goes ahead of a vendor's" {
    make_library "$PWD/both/libfakempich.so.12" libfakempich.so.12 "$fake_host"
    cp "$fixtures/vendor/libmpi_cray.so.12" "$PWD/both/"
    LD_LIBRARY_PATH=$PWD/both run --separate-stderr "$adapter" run -v "$fixtures/bin/app"
    [[ $stderr == *"host library $PWD/both/libfakempich.so.12"* ]]
}

@test "a program that needs its MPI by a vendor's name is told how it can run" {
    built "$PWD/vendor" 'int MPI_Init(void); int main(void) { return MPI_Init(); }' "$fixtures/vendor/libmpi_cray.so.12"
    LD_LIBRARY_PATH=$fixtures/vendor refuses "$PWD/vendor" \
        'needs its MPI by the name libmpi_cray.so.12, which no pair has; rename that in a copy of the program: patchelf --replace-needed libmpi_cray.so.12 libmpich.so.12 COPY'
    # Where the library is missing, its family cannot be told.
    refuses "$PWD/vendor" 'needs libmpi_cray.so.12, an MPI library of no known ABI; say with --from which ABI it has'
    run --separate-stderr "$adapter" run --from mpich "$PWD/vendor"
    fails_with 1 'patchelf --replace-needed libmpi_cray.so.12 libmpich.so.12 COPY'
}
