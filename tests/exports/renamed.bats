#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# Programs of releases that gave Open MPI's libraries other names: libmpi.so.20 and its like. Where no such release is
# installed, programs of this one that need libraries of the same names are theirs: the ABI is the same but for a few
# numbers in Fortran.

load ../pair
use_pair openmpi-to-mpich

setup() {
    cd "$BATS_TEST_TMPDIR"
}

# older FILE...: the programs need libraries by the names of Open MPI 2.
older() {
    local file
    for file; do
        # Programs of Open MPI 6 need another library for variables that Open MPI 2 had in libmpi.
        readelf -d "$file" > dynamic
        ! grep -q 'NEEDED.*libopen_mpi' dynamic || patchelf --remove-needed libopen_mpi.so.40 "$file"
        sed -i -E 's/(libmpi|libmpi_cxx|libmpi_mpifh|libmpi_usempif08|libmpi_usempi_ignore_tkr|libopen-rte|libopen-pal)\.so\.40/\1.so.20/g' "$file"
        readelf -d "$file" > dynamic
        grep -q 'NEEDED.*libmpi.*\.so\.20' dynamic
        run ! grep -E 'NEEDED.*(libmpi|libopen).*\.so\.40' dynamic
    done
}

ring() {
    cat > ring.c <<'END'
#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv)
{
    int rank, size, sum;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        printf("sum %d of %d\n", sum, size);
    MPI_Finalize();
    return 0;
}
END
    app_program ring ring.c
    older ring
}

@test "a program that needs Open MPI 2's library runs, by the folder and by the command" {
    ring
    [ "$(on_ranks 2 ./ring)" = 'sum 1 of 2' ]
    [ "$("$command" run -n 2 ./ring)" = 'sum 1 of 2' ]
    "$command" explain ./ring > said
    grep -F 'before 3.0, by the libraries that it needs' said
}

@test "so does one with an RPATH to that release, and none of it is loaded" {
    mkdir native
    "$CC" -shared -fPIC -x c /dev/null -Wl,-soname,libmpi.so.20 -o native/libmpi.so.20
    cat > main.c <<'END'
#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv)
{
    int size;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    printf("%d\n", size);
    MPI_Finalize();
    return 0;
}
END
    app_program fixed main.c -Wl,--disable-new-dtags,-rpath,"$PWD/native"
    older fixed
    [ "$("$command" run -n 1 ./fixed)" = 1 ]
    # A link cannot lead past it.
    run "$command" run --to openmpi -n 1 ./fixed
    [ "$status" -eq 1 ]
    [[ $output == *"loads $PWD/native/libmpi.so.20, which is no library of Open MPI; remove the path to it with patchelf" ]]
}

# Prints the values that C programs see for Fortran's numbers.
numbers() {
    cat > numbers.c <<'END'
#include <mpi.h>
#include <stdio.h>
extern char ompi_mpi_c_complex[];
static const char *name_of(int number)
{
    MPI_Datatype type = MPI_Type_f2c(number);
    return type == MPI_C_BOOL ? "bool" : (void *)type == (void *)ompi_mpi_c_complex ? "complex"
         : type == MPI_C_FLOAT_COMPLEX ? "float" : "other";
}
int main(int argc, char **argv)
{
    int size, other;
    MPI_Init(&argc, &argv);
    MPI_Type_size((MPI_Datatype)(void *)ompi_mpi_c_complex, &size);
    MPI_Type_size(MPI_C_FLOAT_COMPLEX, &other);
    printf("%s %s %s, %d %d %d, %d\n", name_of(68), name_of(69), name_of(73), MPI_Type_c2f(MPI_C_BOOL),
           MPI_Type_c2f(MPI_C_FLOAT_COMPLEX), MPI_Type_c2f(MPI_INT), size == other);
    MPI_Finalize();
    return 0;
}
END
    app_program numbers numbers.c
}

@test "Fortran's numbers of datatypes are those of the release, as a C program sees them" {
    numbers
    [ "$(on_ranks 1 ./numbers)" = 'bool float other, 68 69 39, 1' ]
    older numbers
    [ "$(on_ranks 1 ./numbers)" = 'complex float bool, 73 69 39, 1' ]
    # A preloaded library with today's name changes nothing.
    [ "$(mpiexec.mpich -n 1 env LD_LIBRARY_PATH="$folder" LD_PRELOAD="$adapter" ./numbers)" = 'complex float bool, 73 69 39, 1' ]
}

@test "and as the interfaces of Fortran do" {
    cat > sizes.F90 <<'END'
program sizes
    use mpi_f08
    implicit none
    type(MPI_Datatype) :: bool, pair
    integer :: first, second
    call MPI_Init()
    bool%MPI_VAL = BOOL
    pair%MPI_VAL = COMPLEX
    call MPI_Type_size(bool, first)
    call MPI_Type_size(pair, second)
    print '(i0,1x,i0)', first, second
    call MPI_Finalize()
end program
END
    # A variable of mpi_f08's that programs of Open MPI 2 have, and a copy of it in the program.
    echo '#include <stdio.h>
extern int ompi_f08_mpi_c_bool;
int main(void) { printf("%d\n", ompi_f08_mpi_c_bool); return 0; }' > constant.c
    "mpifort.$application" -cpp -w -DBOOL=68 -DCOMPLEX=69 -o sizes sizes.F90
    "mpifort.$application" -cpp -w -DBOOL=73 -DCOMPLEX=68 -o sizes20 sizes.F90
    for how in -fPIE\ -pie -fno-pie\ -no-pie; do
        # shellcheck disable=SC2086  # two words; newer Open MPIs do not have it themselves
        app_program constant $how constant.c -Wl,--unresolved-symbols=ignore-in-shared-libs "$folder/libmpi_usempif08.so.40"
        cp constant constant20
        older constant20
        [ "$(adapted ./constant)" = 68 ]
        [ "$(adapted ./constant20)" = 73 ]
    done
    older sizes20
    [ "$(on_ranks 1 ./sizes)" = '1 8' ]
    [ "$(on_ranks 1 ./sizes20)" = '1 8' ]
}
