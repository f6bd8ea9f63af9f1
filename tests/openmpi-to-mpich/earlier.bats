#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# Programs of Open MPI 2, whose libraries have other names than those of its later releases. No machine has that any
# more: what stands in for its libraries where programs are linked is made of its table.

load common

release=$top/abi-tables/openmpi-2.1.6

# stub SONAME: a library with the names that the release's has, and objects as large.
stub() {
    awk -v library="$1" '$1 == library && $2 == "function" { print "void " $4 "(void) {}" }
                         $1 == library && $2 == "object" { print "char " $4 "[" $3 "] __attribute__((aligned(16)));" }' \
        "$release/exports" > stub.c
    [ "$(wc -l < stub.c)" -gt 300 ]
    "$CC" -w -shared -fPIC -o "$1" "-Wl,-soname,$1" stub.c
}

setup() {
    cd "$BATS_TEST_TMPDIR"
}

# runs_both_ways PROGRAM SONAME: on two ranks, by the environment alone and by the command. It needs its MPI by this
# name.
runs_both_ways() {
    readelf -d "$1" > needs
    grep -qF "[$2]" needs
    run ! grep -E '\[libmpi.*[.]so[.]40\]' needs
    mpiexec.mpich -n 2 env LD_LIBRARY_PATH="$folder" "$1" > by-environment
    "$command" run --to mpich -n 2 "$1" > by-command
    [ -s by-environment ]
    diff <(sort by-environment) <(sort by-command)
}

@test "a C program that needs libmpi.so.20 runs, with copies of its objects and without" {
    stub libmpi.so.20
    for source in comms ops completion; do
        for option in -no-pie -fPIC; do
            "$CC" -O1 -w $option -I"$build/include/openmpi" -I"$top/tests" -o "$source" "$top/tests/c/$source.c" libmpi.so.20 -lm
            runs_both_ways "./$source" libmpi.so.20
            cat by-command
        done
    done
}

@test "the dynamic linker finds no object of another size than the program's" {
    stub libmpi.so.20
    "$CC" -w -no-pie -I"$build/include/openmpi" -I"$top/tests" -o predefined_types "$top/tests/c/predefined_types.c" libmpi.so.20
    mpiexec.mpich -n 1 env LD_LIBRARY_PATH="$folder" ./predefined_types 2> warnings
    [ ! -s warnings ]
}

@test "what opens libmpi.so.20 finds the same objects as by the later name" {
    cat > opens.c <<'END'
#include <dlfcn.h>
#include <stdio.h>
int main(void)
{
    void *earlier = dlopen("libmpi.so.20", RTLD_NOW), *later = dlopen("libmpi.so.40", RTLD_NOW);
    if (!earlier || !later)
        return puts(dlerror()), 1;
    printf("%d%d\n", dlsym(earlier, "ompi_mpi_comm_world") == dlsym(later, "ompi_mpi_comm_world"),
           dlsym(earlier, "MPI_Send") == dlsym(later, "MPI_Send"));
    return 0;
}
END
    "$CC" -o opens opens.c -ldl
    [ "$(LD_LIBRARY_PATH=$folder ./opens)" = 11 ]
}

@test "what Open MPI 2 called and numbered otherwise is what its programs mean" {
    stub libmpi.so.20
    stub libmpi_mpifh.so.20
    # MPI_C_COMPLEX had an object of its own, which copies may stand for.
    cat > complex.c <<'END'
#include <mpi.h>
#include <stdio.h>
extern char ompi_mpi_c_complex[512];
int main(void)
{
    float sent[2] = { 1, 2 }, got[2] = { 0, 0 };
    int size = 0;
    MPI_Init(0, 0);
    MPI_Type_size((MPI_Datatype)ompi_mpi_c_complex, &size);
    MPI_Sendrecv(sent, 1, (MPI_Datatype)ompi_mpi_c_complex, 0, 0, got, 1, (MPI_Datatype)ompi_mpi_c_complex, 0, 0, MPI_COMM_SELF,
                 MPI_STATUS_IGNORE);
    printf("%d %g\n", size, got[0] + got[1]);
    MPI_Finalize();
    return 0;
}
END
    for option in -no-pie -fPIC; do
        "$CC" $option -I"$build/include/openmpi" -o complex complex.c libmpi.so.20
        runs_both_ways ./complex libmpi.so.20
        [ "$(sort -u by-command)" = '8 3' ]
    done
    # So it had a number of its own, and MPI_C_BOOL another one.
    cat > numbers.c <<'END'
#include <stdio.h>
void mpi_init_(int *), mpi_finalize_(int *), mpi_type_size_(const int *, int *, int *);
int main(void)
{
    const int numbers[] = { 68, 69, 73 };
    int error, size;
    mpi_init_(&error);
    for (int i = 0; i < 3; i++) {
        mpi_type_size_(&numbers[i], &size, &error);
        printf(" %d", size);
    }
    mpi_finalize_(&error);
    return 0;
}
END
    "$CC" -o numbers numbers.c libmpi_mpifh.so.20
    [ "$(mpiexec.mpich -n 1 env LD_LIBRARY_PATH="$folder" ./numbers)" = ' 8 8 1' ]
    # Later releases' numbers are theirs.
    sed -i 's/68, 69, 73/69, 69, 68/' numbers.c
    "$CC" -o numbers numbers.c "$folder/libmpi_mpifh.so.40" -Wl,-rpath-link,"$folder"
    [ "$(mpiexec.mpich -n 1 env LD_LIBRARY_PATH="$folder" ./numbers)" = ' 8 8 1' ]
}

@test "Fortran programs of Open MPI 2 run, by every interface" {
    stub libmpi.so.20
    stub libmpi_mpifh.so.20
    stub libmpi_usempif08.so.20
    for interface in mpif.h mpi mpi_f08; do
        { case $interface in
            mpif.h) printf 'program p\nimplicit none\ninclude "mpif.h"\n' ;;
            *) printf 'program p\nuse %s\nimplicit none\n' "$interface" ;;
        esac
        cat <<'END'
integer :: ierror, rank, total, got
call MPI_Init(ierror)
call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
call MPI_Allreduce(rank + 1, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierror)
got = rank
call MPI_Bcast(got, 1, MPI_INTEGER, 1, MPI_COMM_WORLD, ierror)
print '(a,i0,a,i0,a,i0)', 'rank ', rank, ' total ', total, ' got ', got
call MPI_Finalize(ierror)
end program
END
        } > program.f90
        mpifort.openmpi -fallow-argument-mismatch -w -c program.f90
        gfortran -o "program" program.o ./libmpi_usempif08.so.20 ./libmpi_mpifh.so.20 ./libmpi.so.20
        runs_both_ways ./program "$([ $interface = mpi_f08 ] && echo libmpi_usempif08.so.20 || echo libmpi_mpifh.so.20)"
        diff <(sort by-command) <(printf '%s\n' 'rank 0 total 3 got 1' 'rank 1 total 3 got 1')
    done
}
