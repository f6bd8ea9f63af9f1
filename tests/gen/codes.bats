#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# Handles and error codes of one side do not compile in the place of the other's.

emit() { "$PYTHON" -B "$GEN/emit.py" --tables "$ROOT/abi-tables" --templates "$ROOT/templates" --output "$@"; }

setup_file()
{
    load common
    ROOT=$TESTS/../..
    cd "$BATS_FILE_TMPDIR"
    emit common
    emit app --application openmpi
    emit host --host mpich
    emit pair --application openmpi --host mpich
}

setup()
{
    load common
    ROOT=$TESTS/../..
    cd "$BATS_FILE_TMPDIR"
    warnings=$(sed -n 's/^adapter_apart := .*unknown),,\(.*\))$/\1/p' "$ROOT/adapter-c/adapter-c.mk")
}

# refused CODE ERROR: a function of this C does not compile, for this reason.
refused()
{
    printf '#include "convert/adapter.h"\n%s\n' "$1" > tried.c
    # shellcheck disable=SC2086  # they are words
    run ${CC:-cc} -std=c11 -D_GNU_SOURCE -fsyntax-only -Wall $warnings -Ipair -Iapp -Ihost -Icommon -I"$ROOT/adapter-c" -I"$ROOT/gotswap" tried.c
    [[ $output == *"error: "*"$2"* ]]
    [ "$status" -ne 0 ]
}

# compiles CODE
compiles()
{
    printf '#include "convert/adapter.h"\n%s\n' "$1" > tried.c
    # shellcheck disable=SC2086
    ${CC:-cc} -std=c11 -D_GNU_SOURCE -fsyntax-only -Wall $warnings -Ipair -Iapp -Ihost -Icommon -I"$ROOT/adapter-c" -I"$ROOT/gotswap" tried.c
}

@test "codes of each side's own compile" {
    compiles 'host_code f(host_comm c) { return fail_comm(c, HOST_MPI_ERR_ARG); }'
    compiles 'app_code f(host_comm c) { return raise_comm(c, HOST_MPI_ERR_ARG); }'
    compiles 'app_code f(host_comm c) { return error_to_app(host.MPI_Barrier(c)); }'
}

@test "an error of the host's is not returned to the program" {
    refused 'app_code f(host_comm c) { return fail_comm(c, HOST_MPI_ERR_ARG); }' host_code
    refused 'app_code f(host_comm c) { return host.MPI_Barrier(c); }' host_code
    refused 'app_code f(void) { return HOST_MPI_ERR_ARG; }' host_code
}

@test "a stand-in fails with no code of the program's" {
    refused 'host_code f(host_comm c) { return raise_comm(c, HOST_MPI_ERR_ARG); }' app_code
    refused 'host_code f(host_comm c) { return fail_comm(c, APP_MPI_ERR_ARG); }' app_code
    refused 'app_code f(host_comm c) { return raise_comm(c, APP_MPI_ERR_ARG); }' app_code
    refused 'app_code f(void) { return raise_error(APP_MPI_ERR_ARG); }' app_code
}

@test "codes are neither converted twice nor compared across" {
    refused 'app_code f(app_code code) { return code_to_app(code); }' app_code
    refused 'host_code f(host_code code) { return error_to_host(code); }' host_code
    refused 'int f(host_code code) { return code == APP_MPI_ERR_ARG; }' code
}

@test "a handle of one side is no handle of the other" {
    refused 'int f(app_comm c) { return host.MPI_Barrier(c); }' app_comm
    refused 'app_comm f(host_comm c) { return c; }' ''
}
