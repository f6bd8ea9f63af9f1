#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# MPI_Get_version: the version of the mpi.h that a program was compiled with, as far as what it and its
# libraries import tells it.

load common

setup() {
    cd "$BATS_TEST_TMPDIR"
}

# make_object NAME LANGUAGE FLAGS... < TEXT: linked with the pair's libraries; the headers are those of all releases.
make_object() {
    local name=$1 language=$2
    shift 2
    "$CC" -I"$build/include/openmpi" -Wno-implicit-function-declaration -o "$name" -x "$language" - -x none "$@" \
        -L"$folder" -Wl,--no-as-needed -l:libmpi.so.40 -Wl,--as-needed -Wl,-rpath-link,"$folder"
}

# program CALLS [FLAG...]: prints what it is told; CALLS are in it, but are not made.
program() {
    local calls=$1
    shift
    make_object program c "$@" << TEXT
#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv)
{
    int major = 0, minor = 0;
    if (argc > 100) {
        $calls;
    }
    MPI_Get_version(&major, &minor);
    printf("%d.%d\\n", major, minor);
    return 0;
}
TEXT
}

# told VERSION [NAME=VALUE...]
told() {
    local version=$1
    shift
    run --separate-stderr env "$@" LD_LIBRARY_PATH="$folder:." ./program
    [ "$status" -eq 0 ] && [ "$output" = "$version" ] || { echo "told $output, not $version: $stderr"; return 1; }
}

@test "what all releases have tells nothing; the oldest is told" {
    program 'MPI_Send(0, 0, MPI_INT, 0, 0, MPI_COMM_WORLD)'
    told 3.1
    # Open MPI 5 has these, and serves MPI-3.1.
    program 'MPI_Barrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, 0)'
    told 3.1
}

@test "what only newer releases have tells of them, in the program, a library, or as a library" {
    program 'MPI_Send_c(0, 0, MPI_INT, 0, 0, MPI_COMM_WORLD)'
    told 5.0
    told 5.0 MPI_ADAPTER_MPI_VERSION=3.1
    program 'PMPI_Send_c(0, 0, MPI_INT, 0, 0, MPI_COMM_WORLD)'
    told 5.0
    program 'puts((char *)MPI_LOGICAL16)'
    told 5.0
    program '' -Wl,--no-as-needed -l:libopen_mpi.so.40
    told 5.0
    make_object library.so c -shared -fPIC <<< '#include <mpi.h>
int library(void) { return MPI_Buffer_flush(); }'
    program '' -Wl,--no-as-needed ./library.so
    told 5.0
}

@test "a setting decides where the imports do not, and never makes it newer than the pair" {
    program ''
    told 4.0 MPI_ADAPTER_MPI_VERSION=4.0
    told 5.0 MPI_ADAPTER_MPI_VERSION=5.0
    told 5.0 MPI_ADAPTER_MPI_VERSION=9.1
    told 3.1 MPI_ADAPTER_MPI_VERSION=2.2
    told 3.1 MPI_ADAPTER_MPI_VERSION=
    for value in new 4 4.0.2 -1.0 4.0x; do
        run --separate-stderr env MPI_ADAPTER_MPI_VERSION=$value LD_LIBRARY_PATH="$folder" ./program
        [ "$status" -ne 0 ] && [ -z "$output" ]
        [[ $stderr == "mpi-adapter: MPI_ADAPTER_MPI_VERSION is '$value'; set it to a version of MPI"* ]]
    done
}

@test "whoever asks later is told the same, and a missing argument is an error" {
    make_object later.so c -shared -fPIC << 'TEXT'
#include <mpi.h>
int later(void *p) { return MPI_Send_c(0, 0, MPI_INT, 0, 0, MPI_COMM_WORLD); }
TEXT
    make_object program c << 'TEXT'
#include <mpi.h>
#include <dlfcn.h>
#include <stdio.h>
int main(int argc, char **argv)
{
    int major = 0, minor = 0, error_class = 0;
    MPI_Get_version(&major, &minor);
    if (!dlopen("./later.so", RTLD_NOW))
        return 1;
    MPI_Get_version(&major, &minor);
    printf("%d.%d", major, minor);
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    MPI_Error_class(MPI_Get_version(&major, NULL), &error_class);
    puts(error_class == MPI_ERR_ARG ? " ok" : " wrong class");
    return MPI_Finalize();
}
TEXT
    told '3.1 ok'
}

@test "Fortran programs are told the same" {
    for name in mpi_buffer_flush_ mpi_buffer_flush__ MPI_BUFFER_FLUSH pmpi_buffer_flush_; do
        make_object program c "$folder/libmpi_mpifh.so.40" << TEXT
#include <stdio.h>
void mpi_get_version_(int *, int *, int *);
void $name(void);
int main(int argc, char **argv)
{
    int major = 0, minor = 0, ierror = -1;
    if (argc > 100)
        $name();
    mpi_get_version_(&major, &minor, &ierror);
    printf("%d.%d %d\\n", major, minor, ierror);
    return 0;
}
TEXT
        told '5.0 0'
    done
}
