# SPDX-License-Identifier: BSD-3-Clause
#
# A host that needs a library with a name of the application's, as Open MPI 6's libmpi_abi.so.1 needs libopen_mpi.so.40,
# while the program needs one of that name as well. The host here has no MPI behind it: its procedures do nothing.

setup() {
    load ../standard-abi
    pair=$pairs/openmpi-to-mpiabi
    cd "$BATS_TEST_TMPDIR"
    type -P mpicc.openmpi > /dev/null || skip "no Open MPI on this machine"
    mkdir host
}

# make_host: what it needs, and a library that lacks MPI_Attr_put and calls what MPI has since 4.0.
make_host() {
    grep -vE '\((MPI_Attr_put|MPI_Get_library_version|MPI_Get_version)\)' "$build/include/mpiabi/procedures.h" > procedures.h
    echo 'int open_mpi_data = 5;' > own.c
    "$CC" -shared -fPIC -Wl,-soname,libopen_mpi.so.40 own.c -o host/libopen_mpi.so.40
    cat > host.c << 'C'
#include <string.h>
int nothing(void) { return 0; }
#define PROCEDURE(name) \
    int name(void) __attribute__((weak, alias("nothing"))); \
    int P##name(void) __attribute__((alias("nothing")));
#include "procedures.h"
int MPI_Get_library_version(char *text, int *length)
{
    strcpy(text, "Open MPI v6.0.0");
    *length = (int)strlen(text);
    return 0;
}
int MPI_Get_version(int *version, int *subversion)
{
    *version = 5;
    *subversion = 0;
    return 0;
}
extern int open_mpi_data;
int session(void) { return MPI_Session_init() + open_mpi_data; }
C
    "$CC" -shared -fPIC -w -Wl,-soname,libmpi_abi.so.1 host.c host/libopen_mpi.so.40 -o host/libmpi_abi.so.1
}

# prints WHAT ARGUMENT...: what a program prints that is compiled with these arguments.
prints() {
    local what=$1
    shift
    make_host
    printf '%s\n' '#include <mpi.h>' '#include <stdio.h>' 'int MPI_Attr_put(MPI_Comm comm, int keyval, void *value);' \
        "int main(void) { int version = 0, subversion = 0; $what }" > program.c
    # The wrapper of Open MPI 6 would link with libopen_mpi.so.40, too.
    # shellcheck disable=SC2046  # options are words
    "$CC" -w $(mpicc.openmpi --showme:compile) program.c -o program -Wl,--no-as-needed -Wl,--allow-shlib-undefined "$@" \
        "$pair/libmpi.so.40"
    LD_LIBRARY_PATH=$pair:$PWD/host ./program
}

@test "what the host lacks is not looked for in the adapter, where the program needs such a library, too" {
    [ "$(prints 'printf("%d", MPI_Attr_put(MPI_COMM_SELF, 100, &version));' "$pair/libopen_mpi.so.40")" = 0 ]
}

@test "what such a host imports is not the program's" {
    [ "$(prints 'MPI_Get_version(&version, &subversion); printf("%d.%d", version, subversion);')" = 3.1 ]
}
