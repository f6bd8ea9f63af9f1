#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# A host whose library needs others that have names of the application's, as Open MPI's for the standard ABI needs
# libopen_mpi.so.40: those of the host are loaded, and what both have names for stays apart.

load ../pair
use_pair openmpi-to-mpiabi

setup_file() {
    load ../pair
    use_pair openmpi-to-mpiabi
    cd "$BATS_FILE_TMPDIR"
    mkdir host
    "$CC" -shared -fPIC -g -Wl,-soname,libopen_mpi.so.40 -o host/libopen_mpi.so.40 "$here/namesakes/own.c"
    # An MPI that does nothing, and does it at once.
    sed -n 's/^libmpi_abi.so.1 function [a-z]* \(P\?MPI_[A-Za-z_0-9]*\)$/int \1(void) { return 0; }/p' "$top"/abi-tables/mpiabi-*/exports |
        grep -v 'int MPI_Get_\(library_\)\?version(' | LC_ALL=C sort -u > mpi.c
    "$CC" -shared -fPIC -w -Wl,-soname,libmpi_abi.so.1 -o host/libmpi_abi.so.1 mpi.c "$here/namesakes/version.c" \
        -Wl,--no-as-needed host/libopen_mpi.so.40
    app_program program -no-pie -fno-pic "$here/namesakes/program.c" -ldl
    app_program needy -no-pie -fno-pic "$here/namesakes/program.c" -ldl -Wl,--no-as-needed "$folder/libopen_mpi.so.40" "$adapter" \
        -Wl,--allow-shlib-undefined
}

setup() {
    cd "$BATS_FILE_TMPDIR"
}

own="the host's data, the host's data, the host's function"

@test "the program holds a copy of the adapter's object" {
    readelf -rW program | grep -q 'R_X86_64_COPY.*ompi_mpi_comm_world'
}

@test "the host's libraries are its own, found where the dynamic linker looks" {
    [ "$(LD_LIBRARY_PATH=$folder:$PWD/host ./program)" = "$own" ]
}

@test "and beside the library that the environment names" {
    [ "$(MPI_ADAPTER_HOST_LIBRARY=$PWD/host/libmpi_abi.so.1 adapted ./program)" = "$own" ]
}

@test "a program that needs the adapter's library of the name does not change that" {
    readelf -d needy | grep -q 'NEEDED.*libopen_mpi.so.40'
    [ "$(LD_LIBRARY_PATH=$folder:$PWD/host ./needy)" = "$own" ]
}

@test "isolation is proved of them" {
    LD_LIBRARY_PATH=$folder:$PWD/host MPI_ADAPTER_VERBOSE=1 ./program > /dev/null 2> said
    grep -q 'slots of .*/host/libopen_mpi.so.40 lead to the host$' said
    grep -q 'isolation proved by address at load: none of [1-9][0-9]* slots' said
}

@test "what a library's file needs is read as readelf reads it, and of a damaged file nothing is believed" {
    "$CC" -D_GNU_SOURCE -g -fsanitize=address,undefined -fno-sanitize-recover=all -I"$top/adapter-c" -o needed "$here/namesakes/needed.c" \
        "$top/adapter-c/elf/file.c" "$top/adapter-c/process/needed.c"
    "$CC" -shared -fPIC -o many.so -x c /dev/null -x none -Wl,--no-as-needed -lm host/libmpi_abi.so.1
    readelf -dW many.so | sed -n 's/.*(NEEDED).*\[\(.*\)\].*/\1/p' > expected
    [ "$(wc -l < expected)" -ge 3 ]
    ./needed many.so | cmp - expected
    run ! ./needed needed.c
    ./needed many.so 1
    ./needed many.so 2
}
