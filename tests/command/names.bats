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

@test "by the folder of the pair alone, too" {
    renamed fortran mpich 's/^libmpich\.so/libmpi_cray.so/; s/^libmpichfort\.so/libmpifort_cray.so/'
    [ "$(mpiexec.openmpi -x LD_LIBRARY_PATH="$home/mpich-to-openmpi" -n 2 "$program")" = 'sum 1' ]
    renamed c mpich 's/^libmpich\.so/libmpi_cray.so/'
    # What stands in where Cray's transport for devices is not there.
    patchelf --add-needed libmpi_gtl_cuda.so.0 "$program"
    runs_on openmpi
}

@test "Intel MPI's, MVAPICH's and ParaStation MPI's programs" {
    serves mpich 's/^libmpich\.so/libmpi.so/; s/^libmpichfort\.so/libmpifort.so/'
}

@test "Spectrum MPI's programs" {
    serves openmpi 's/^libmpi(_[a-z_0-9]*)?\.so\.40/libmpi_ibm\1.so.3/'
    patchelf --add-needed libmpiprofilesupport.so.3 "$program"
    runs_on mpich openmpi
}

@test "Fujitsu MPI's programs" {
    renamed fortran openmpi 's/^(libmpi(_[a-z_0-9]*)?)\.so\.40/\1.so.0/'
    runs_on mpich openmpi
    renamed c openmpi 's/^libmpi\.so\.40/libmpi.so.0/'
    run --separate-stderr "$adapter" run -n 2 "$program"
    fails_with 1 'nothing tells whether it is Open MPI 1.3 to 1.4'
    [ "$("$adapter" run -n 2 --from openmpi --to mpich "$program")" = 'sum 1' ]
}

@test "Open MPI 2's programs: in C on the Open MPI of today, too" {
    renamed c openmpi 's/^(libmpi.*)\.so\.40/\1.so.20/'
    runs_on openmpi mpich
    [ -z "$(grep mpi-adapter <<< "$stderr")" ]
    [ "$("$adapter" exec mpiexec.openmpi -n 2 "$program")" = 'sum 1' ]
    # Its C++ bindings are here by their name of today; the links of an MPI do not lead to them.
    patchelf --add-needed libmpi_cxx.so.20 "$program"
    runs_on mpich
    run --separate-stderr "$adapter" run -n 2 --to openmpi "$program"
    fails_with 1 'needs libmpi_cxx.so.20, which the Open MPI of /' 'run it on another MPI'
}

@test "in Fortran, whose numbers are others there, on other MPIs" {
    renamed fortran openmpi 's/^(libmpi.*)\.so\.40/\1.so.20/'
    runs_on mpich
    [ "$("$adapter" run -n 2 "$program")" = 'sum 1' ]
    run --separate-stderr "$adapter" run -n 2 --to openmpi "$program"
    fails_with 1 '.so.20 of an earlier Open MPI, which numbers datatypes in Fortran otherwise' 'run it on another MPI'
}

@test "programs by names that are nobody's, where what they refer to tells whose they are" {
    local language
    for family in mpich openmpi; do
        renamed fortran "$family" 's/^libmpi(ch)?(.*)\.so\.[0-9]*/libanybodysmpi\2.so.7/'
        runs_on mpich openmpi
        [[ $stderr == *'not a known name of an MPI library; taking it for a program of '* ]]
    done
    renamed c openmpi 's/^libmpi(.*)\.so\.[0-9]*/libanybodysmpi\1.so.7/'
    runs_on mpich openmpi
    renamed c mpich 's/^libmpich(.*)\.so\.[0-9]*/libanybodysmpi\1.so.7/'
    run --separate-stderr "$adapter" run "$program"
    fails_with 1 'may be a program of mpich or mpiabi'
    [ "$("$adapter" run -n 2 --from mpich --to openmpi "$program")" = 'sum 1' ]
    [ "$("$adapter" run -n 2 --from mpich --to mpich "$program")" = 'sum 1' ]
}

@test "in a launch line, on an MPI of the program's ABI and on the other" {
    renamed c mpich 's/^libmpich\.so/libmpi_gnu_999.so/'
    [ "$("$adapter" exec mpiexec.openmpi -n 2 "$program")" = 'sum 1' ]
    [ "$("$adapter" exec mpiexec.mpich -n 2 "$program")" = 'sum 1' ]
}

@test "hosts that are called so" {
    local file
    mkdir cray
    file=$(ldconfig -p | awk '$1 == "libmpich.so.12" { name = $NF } END { print name }')
    cp "$file" cray/libmpi_cray.so.12
    patchelf --set-soname libmpi_cray.so.12 cray/libmpi_cray.so.12
    cp "$BATS_FILE_TMPDIR/c.openmpi" ring
    run --separate-stderr env MPI_ADAPTER_HOST_LIBRARY="$PWD/cray/libmpi_cray.so.12" MPI_ADAPTER_VERBOSE=1 "$adapter" run -n 2 --to mpich ./ring
    echo "$output $stderr"
    [ "$output" = 'sum 1' ]
    [[ $stderr == *"$PWD/cray/libmpi_cray.so.12"* ]]
}

@test "Open MPI's library that traces calls is a tool of the program's" {
    [ -e "$(ldconfig -p | awk '$1 == "libompitrace.so.40" { name = $NF } END { print name }')" ] || skip "libompitrace is not on this machine"
    cp "$BATS_FILE_TMPDIR/c.openmpi" ring
    patchelf --add-needed libompitrace.so.40 ring
    "$adapter" run -n 2 --to mpich ./ring > said 2>&1
    grep -qx 'sum 1' said
    grep -q 'MPI_INIT: argc 1' said
}
