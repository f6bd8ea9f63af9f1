#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# A host of the standard ABI that was built without a Fortran compiler, as MPICH plans to be: its datatypes of Fortran are null until it is
# told. The host here has no MPI behind it, but remembers what it is told.

load ../standard-abi

setup() {
    cd "$BATS_TEST_TMPDIR"
    make_host
}

# The variable TOLD says that it knows Fortran when it begins. As MPICH does, it refuses to be told again, and as MPI-5.0 has it, it can be
# told before it begins.
make_host() {
    local own='MPI_(Get_library_version|Get_version|Info_create|Info_set|Info_free|Init|Session_init|Session_finalize|Comm_size|Abi_[gs]et_fortran_(info|booleans))'
    mkdir host
    grep -vE "\($own\)" "$build/include/mpiabi/procedures.h" > procedures.h
    cat > host.c << 'C'
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static int is_told, is_begun, has_logicals, yes_here, no_here;
static void begin(void) { is_begun = 1; is_told |= getenv("TOLD") != 0; has_logicals |= getenv("TOLD") != 0; }
int MPI_Get_library_version(char *text, int *length) { strcpy(text, "MPICH Version: 5.1.0"); *length = (int)strlen(text); return 0; }
int MPI_Get_version(int *version, int *subversion) { *version = 5; *subversion = 0; return 0; }
int MPI_Init(int *argc, char ***argv) { begin(); return 0; }
int MPI_Session_init(MPI_Info info, MPI_Errhandler handler, MPI_Session *session) { begin(); *session = (MPI_Session)0x2000; return 0; }
int MPI_Session_finalize(MPI_Session *session) { *session = MPI_SESSION_NULL; return 0; }
int MPI_Comm_size(MPI_Comm comm, int *size) { *size = 1; return 0; }
int MPI_Info_create(MPI_Info *info) { *info = (MPI_Info)0x1000; return 0; }
int MPI_Info_free(MPI_Info *info) { *info = MPI_INFO_NULL; return 0; }
int MPI_Info_set(MPI_Info info, const char *key, const char *value) { printf("%s %s\n", key, value); return 0; }
int MPI_Abi_get_fortran_info(MPI_Info *info) { *info = is_told ? (MPI_Info)0x1000 : MPI_INFO_NULL; return 0; }
int MPI_Abi_set_fortran_info(MPI_Info info)
{
    int rc = is_told ? MPI_ERR_ABI : 0;
    printf("told %d %d\n", is_begun, rc != 0);
    is_told = 1;
    return rc;
}
int MPI_Abi_get_fortran_booleans(int size, void *yes, void *no, int *is_set)
{
    *is_set = has_logicals;
    memcpy(yes, &yes_here, size), memcpy(no, &no_here, size);
    return 0;
}
int MPI_Abi_set_fortran_booleans(int size, void *yes, void *no)
{
    printf("logicals %d %d %d\n", size, *(int *)yes, *(int *)no);
    if (has_logicals)
        return MPI_ERR_ABI;
    has_logicals = 1;
    memcpy(&yes_here, yes, size), memcpy(&no_here, no, size);
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

# A program that tells its Fortran itself, and prints the answers. The letters of its argument are its steps, in order: tell the host, begin
# MPI, begin a session and end it, ask what the host knows.
write_teller() {
    cat > teller.c << 'C'
#include <mpi.h>
#include <stdio.h>
#if PART
void part(void);
#endif
#if FORTRAN
void mpi_init_(int *);
void mpi_session_init_(int *, int *, int *, int *);
#endif
static void tell(void)
{
    MPI_Info info = MPI_INFO_NULL;
    int yes = -1, no = 0;
    MPI_Info_create(&info);
    MPI_Info_set(info, "mpi_integer_size", "8");
    int of_types = MPI_Abi_set_fortran_info(info), of_logicals = MPI_Abi_set_fortran_booleans(4, &yes, &no);
    printf("answers %d %d\n", of_types == 0 ? 0 : of_types == MPI_ERR_ABI ? 1 : -1, of_logicals == 0 ? 0 : of_logicals == MPI_ERR_ABI ? 1 : -1);
}
static void ask(void)
{
    MPI_Info info = MPI_INFO_NULL;
    int yes = 7, no = 7, is_set = 7;
    int has_info = MPI_Abi_get_fortran_info(&info) == 0 && info != MPI_INFO_NULL;
    int rc = MPI_Abi_get_fortran_booleans(4, &yes, &no, &is_set);
    printf("known %d %d %d %d %d\n", has_info, rc, is_set, yes, no);
}
int main(int argc, char **argv)
{
    int ierror = 0;
    for (const char *what = argv[1]; *what; what++) {
        switch (*what) {
        case 't': tell(); break;
        case 'a': ask(); break;
#if FORTRAN
        case 'i': mpi_init_(&ierror); break;
        case 's': {
            int info = MPI_Info_toint(MPI_INFO_NULL), handler = MPI_Errhandler_toint(MPI_ERRORS_RETURN), session;
            mpi_session_init_(&info, &handler, &session, &ierror);
            break;
        }
#else
        case 'i': MPI_Init(&argc, &argv); break;
        case 's': {
            MPI_Session session = MPI_SESSION_NULL;
            MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
            MPI_Session_finalize(&session);
            break;
        }
#endif
#if PART
        case 'p': part(); break;
#endif
        }
    }
    printf("end %d\n", ierror);
    return 0;
}
C
}

# tells FAMILY STEPS: the program on the host, by the family's pair, or without one by the library of mpifort_abi.
tells() {
    local library=$build/lib/mpi-adapter/abi/libmpi_adapter_fortran.so
    write_teller
    if [ "$1" = both ]; then
        # A session of a part for Open MPI, in a program of mpifort_abi.
        "$CC" -w -shared -fPIC -I"$build/include/openmpi" -o libpart.so -x c - -L"$pairs/openmpi-to-mpiabi" -l:"$(soname openmpi)" << 'C'
#include <mpi.h>
void part(void)
{
    MPI_Session session;
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
}
C
        "$CC" -w -DFORTRAN=1 -DPART=1 -I"$build/include/mpiabi" -o teller teller.c -Wl,--no-as-needed ./libpart.so "$library" host/libmpi_abi.so.1 \
            -Wl,--unresolved-symbols=ignore-all
        [ -e host/libmpi_adapter_fortran.so.1 ] || ln -s "$(realpath "$library")" host/libmpi_adapter_fortran.so.1
        LD_LIBRARY_PATH=$pairs/openmpi-to-mpiabi:$PWD/host timeout 60 ./teller "$2"
        return
    fi
    if [ "$1" = fortran ]; then
        [ -e host/libmpi_adapter_fortran.so.1 ] || ln -s "$(realpath "$library")" host/libmpi_adapter_fortran.so.1
        "$CC" -w -DFORTRAN=1 -I"$build/include/mpiabi" -o teller teller.c "$library" host/libmpi_abi.so.1 -Wl,--unresolved-symbols=ignore-all
        LD_LIBRARY_PATH=$PWD/host timeout 60 ./teller "$2"
    else
        "$CC" -w -I"$build/include/$1" -o teller teller.c -L"$pairs/$1-to-mpiabi" -l:"$(soname "$1")"
        LD_LIBRARY_PATH=$pairs/$1-to-mpiabi:$PWD/host timeout 60 ./teller "$2"
    fi
}

# are FAMILY STEPS LINE...: what is said, but for the keys and values.
are() {
    tells "$1" "$2" > said || return
    diff <(printf '%s\n' "${@:3}") <(grep -v '^mpi_' said)
}

@test "it is told once, when MPI has begun, with sizes and types, by pairs and by the library of mpifort_abi" {
    local family
    for family in openmpi mpich fortran; do
        tells "$family" i > told
        cat told
        [ "$(grep -c '^told 1 0$' told)" -eq 1 ]
        grep -x 'mpi_integer_size 4' told
        grep -x 'mpi_double_precision_size 8' told
        grep -x 'mpi_real8_supported true' told
        [ "$(grep -v '^mpi_' told)" = $'told 1 0\nlogicals 4 1 0\nend 0' ]
    done
    patchelf --print-needed teller | grep -x libmpi_adapter_fortran.so.1
}

@test "what it knows before is kept: of its own, or told by the program before MPI begins" {
    local family
    for family in openmpi mpich fortran; do
        TOLD=1 are "$family" ia 'known 1 0 1 0 0' 'end 0'
        are "$family" tiat 'told 0 0' 'logicals 4 -1 0' 'answers 0 0' 'known 1 0 1 -1 0' 'told 1 1' 'logicals 4 -1 0' 'answers 1 1' 'end 0'
    done
}

@test "programs that tell it after that, once or twice, are refused, and it keeps what it knows" {
    local family
    for family in openmpi mpich fortran; do
        are "$family" itat 'told 1 0' 'logicals 4 1 0' 'told 1 1' 'logicals 4 -1 0' 'answers 1 1' 'known 1 0 1 1 0' \
            'told 1 1' 'logicals 4 -1 0' 'answers 1 1' 'end 0'
    done
}

@test "sessions tell it as well, and the second session or MPI_Init nothing more" {
    local family
    for family in openmpi mpich fortran; do
        are "$family" sasisa 'told 1 0' 'logicals 4 1 0' 'known 1 0 1 1 0' 'known 1 0 1 1 0' 'end 0'
        are "$family" tsa 'told 0 0' 'logicals 4 -1 0' 'answers 0 0' 'known 1 0 1 -1 0' 'end 0'
    done
}

@test "two libraries of one process tell it once: that of mpifort_abi, and a pair for a part" {
    local steps
    for steps in ipa pia; do
        are both "$steps" 'told 1 0' 'logicals 4 1 0' 'known 1 0 1 1 0' 'end 0'
    done
    are both tipa 'told 0 0' 'logicals 4 -1 0' 'answers 0 0' 'known 1 0 1 -1 0' 'end 0'
}
