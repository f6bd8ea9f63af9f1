#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# A host of the standard ABI that was built without a Fortran compiler, as MPICH plans to be: its datatypes of Fortran are null until it is
# told. The host here has no MPI behind it, but remembers what it is told.

load ../standard-abi

setup() {
    cd "$BATS_TEST_TMPDIR"
    make_host
}

# The variable TOLD says that somebody has told it before.
make_host() {
    local own='MPI_(Get_library_version|Get_version|Info_create|Info_set|Info_free|Init|Comm_size|Abi_[gs]et_fortran_(info|booleans))'
    mkdir host
    grep -vE "\($own\)" "$build/include/mpiabi/procedures.h" > procedures.h
    cat > host.c << 'C'
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static int is_told, has_logicals, is_begun;
int MPI_Get_library_version(char *text, int *length) { strcpy(text, "MPICH Version: 5.1.0"); *length = (int)strlen(text); return 0; }
int MPI_Get_version(int *version, int *subversion) { *version = 5; *subversion = 0; return 0; }
int MPI_Init(int *argc, char ***argv) { is_begun = 1; is_told = has_logicals = getenv("TOLD") != 0; return 0; }
int MPI_Comm_size(MPI_Comm comm, int *size) { *size = 1; return 0; }
int MPI_Info_create(MPI_Info *info) { *info = (MPI_Info)0x1000; return 0; }
int MPI_Info_free(MPI_Info *info) { *info = MPI_INFO_NULL; return 0; }
int MPI_Info_set(MPI_Info info, const char *key, const char *value) { printf("%s %s\n", key, value); return 0; }
int MPI_Abi_get_fortran_info(MPI_Info *info) { *info = is_told ? (MPI_Info)0x1000 : MPI_INFO_NULL; return 0; }
int MPI_Abi_set_fortran_info(MPI_Info info)
{
    int rc = is_told ? MPI_ERR_ABI : 0;
    printf("told %d %d\n", is_begun, rc);
    is_told = 1;
    return rc;
}
int MPI_Abi_get_fortran_booleans(int size, void *yes, void *no, int *is_set) { *is_set = has_logicals; return 0; }
int MPI_Abi_set_fortran_booleans(int size, void *yes, void *no)
{
    printf("logicals %d %d %d\n", size, *(int *)yes, *(int *)no);
    has_logicals = 1;
    return 0;
}
C
    { echo 'int nothing(void) { return 0; }'
      echo '#define PROCEDURE(name) int name(void) __attribute__((weak, alias("nothing"))); int P##name(void) __attribute__((alias("nothing")));'
      echo '#include "procedures.h"'
      grep -oE "PROCEDURE\($own\)" "$build/include/mpiabi/procedures.h" | sed -E 's/PROCEDURE\((.*)\)/int \1(); int P\1() __attribute__((weak, alias("nothing")));/'
    } > others.c
    "$CC" -shared -fPIC -w -I"$build/include/mpiabi" -Wl,-soname,libmpi_abi.so.1 host.c others.c -o host/libmpi_abi.so.1
}

# A program of the family's that tells its Fortran itself, twice, too.
starts() {
    "$CC" -w -I"$build/include/$1" -x c - -o program -L"$pairs/$1-to-mpiabi" -l:"$(soname "$1")" << 'C'
#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv)
{
    MPI_Info info = MPI_INFO_NULL;
    MPI_Init(&argc, &argv);
    printf("known %d\n", MPI_Abi_get_fortran_info(&info) == 0 && info != MPI_INFO_NULL);
    for (int i = 0; i < 2; i++)
        printf("refused %d\n", MPI_Abi_set_fortran_info(info) != 0);
    return 0;
}
C
    LD_LIBRARY_PATH=$pairs/$1-to-mpiabi:$PWD/host timeout 60 ./program
}

@test "it is told once, when MPI has begun, and programs that tell it again are refused" {
    local family
    for family in openmpi mpich; do
        starts "$family" > told
        cat told
        [ "$(grep -c '^told 1 0$' told)" -eq 1 ]
        grep -x 'mpi_integer_size 4' told
        grep -x 'mpi_double_precision_size 8' told
        grep -x 'mpi_real8_supported true' told
        grep -x 'logicals 4 1 0' told
        grep -x 'known 1' told
        [ "$(grep -cx 'refused 1' told)" -eq 2 ]
        # Told before, it keeps that.
        TOLD=1 starts "$family" > kept
        [ "$(grep -c '^told 1 0$' kept)" -eq 0 ]
        [ "$(grep -c '^logicals' kept)" -eq 0 ]
    done
}

@test "the library of mpifort_abi tells it, without a pair" {
    local library=$build/lib/mpi-adapter/abi/libmpi_adapter_fortran.so
    "$CC" -w -o fortran -x c - -x none "$library" -Wl,-rpath,"$(dirname "$(realpath "$library")")" -Wl,--unresolved-symbols=ignore-all << 'C'
#include <stdio.h>
int main(void)
{
    int ierror = -1;
    mpi_init_(&ierror);
    printf("begun %d\n", ierror);
    return 0;
}
C
    patchelf --print-needed fortran | grep -x libmpi_adapter_fortran.so.1
    ln -s "$(realpath "$library")" host/libmpi_adapter_fortran.so.1
    LD_LIBRARY_PATH=$PWD/host timeout 60 ./fortran > told
    cat told
    [ "$(grep -c '^told 1 0$' told)" -eq 1 ]
    grep -x 'mpi_integer_size 4' told
    grep -x 'logicals 4 1 0' told
    grep -x 'begun 0' told
    TOLD=1 LD_LIBRARY_PATH=$PWD/host timeout 60 ./fortran > kept
    [ "$(cat kept)" = 'begun 0' ]
}
