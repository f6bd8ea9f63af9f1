#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# Programs of the standard ABI that refer to procedures which are newer than the pairs start, and a call of one is an error that names it.

load ../standard-abi

setup() {
    cd "$BATS_TEST_TMPDIR"
    export XDG_CACHE_HOME=$PWD/cache
    for family in openmpi mpich; do
        ! is_native "$family" || to=$family
    done
    [ -n "${to-}" ] || skip 'no MPI of the pairs is here'
}

# A library of the ABI that has procedures of a later release, to link with.
later_library() {
    mkdir -p later
    { sed 's/.*(\(MPI_[^,)]*\).*/int \1(void);/; t; d' "$build/include/mpiabi/procedures.h"
      printf 'int %s(void) { return 0; }\n' MPI_Init MPI_Finalize MPI_Comm_set_errhandler MPI_Comm_rank MPI_Frobnicate PMPI_Frobnicate MPI_Bend_c \
          MPIX_Later
    } | "$CC" -w -shared -fPIC -x c - -o later/libmpi_abi.so -Wl,-soname,libmpi_abi.so.1
}

# later_program OUTPUT OPTION...: calls what its argument tells.
later_program() {
    local output=$1
    shift
    "$CC" -w -I "$build/include/mpiabi" "$@" -x c - -o "$output" -L later -lmpi_abi << 'END'
#include <mpi.h>
#include <stdio.h>
int MPI_Frobnicate(int), MPI_Bend_c(void), MPIX_Later(void);
int main(int argc, char **argv)
{
    char how = argc > 1 ? argv[1][0] : 's';
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (how == 'r')
        MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    if (how != 's')
        printf("%d %d %d\n", MPI_Frobnicate(rank) == MPI_ERR_UNSUPPORTED_OPERATION, MPI_Bend_c() == MPI_ERR_UNSUPPORTED_OPERATION,
               MPIX_Later() == MPI_ERR_UNSUPPORTED_OPERATION);
    else
        puts("started");
    return MPI_Finalize();
}
END
}

@test "they start however they are linked, and calls of newer procedures are errors that name them" {
    later_library
    for options in -Wl,-z,lazy -Wl,-z,now '-fno-plt -Wl,-z,now'; do
        # shellcheck disable=SC2086  # words of their own
        later_program program $options
        for family in openmpi mpich; do
            is_native "$family" || continue
            run --separate-stderr timeout 120 "$build/bin/mpi-adapter" run -n 2 --to "$family" ./program
            [ "$status" -eq 0 ]
            # Launchers may write two ranks' lines into one.
            [ "$(grep -o started <<< "$output" | wc -l)" -eq 2 ]
            run --separate-stderr timeout 120 "$build/bin/mpi-adapter" run -n 1 --to "$family" ./program return
            [ "$output" = '1 1 1' ]
            for name in MPI_Frobnicate MPI_Bend_c MPIX_Later; do
                [[ $stderr == *"mpi-adapter: $name is newer than MPI-Adapter "*"; install a newer one, or run the program on an MPI that has it"* ]]
            done
        done
    done
    run --separate-stderr timeout 120 "$build/bin/mpi-adapter" run -n 1 --to "$to" ./program fail
    [ "$status" -ne 0 ]
    [ -z "$output" ]
    [[ $stderr == *'mpi-adapter: MPI'*' is newer than MPI-Adapter '* ]]
}

@test "so do programs whose library refers to them; what the program starts has nothing preloaded" {
    later_library
    echo 'int MPI_Frobnicate(int); int library(void) { return MPI_Frobnicate(1); }' |
        "$CC" -shared -fPIC -x c - -o liblibrary.so -Wl,-z,now -L later -lmpi_abi
    "$CC" -w -I "$build/include/mpiabi" -x c - -o program -Wl,-rpath,"$PWD" -L . -llibrary -L later -lmpi_abi << 'END'
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
int library(void);
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    printf("%d\n", library() == MPI_ERR_UNSUPPORTED_OPERATION);
    fflush(stdout);
    system("echo \"preloaded: $LD_PRELOAD\"");
    return MPI_Finalize();
}
END
    run --separate-stderr timeout 120 "$build/bin/mpi-adapter" run -n 1 --to "$to" ./program
    [ "$output" = $'1\npreloaded: ' ]
    [ "$(ls cache/mpi-adapter/names/*/newer-*.so | wc -l)" -eq 1 ]
}

@test "other programs get no such library, and a folder with a space cannot hold one" {
    abi_program plain -x c - <<< '#include <mpi.h>
        int main(int argc, char **argv) { MPI_Init(&argc, &argv); return MPI_Finalize(); }'
    run --separate-stderr "$build/bin/mpi-adapter" env --to "$to" ./plain
    [[ $output != *newer-* ]]
    [ ! -e cache ]
    later_library
    later_program program
    XDG_CACHE_HOME="$PWD/a cache" run --separate-stderr ! "$build/bin/mpi-adapter" env --to "$to" ./program
    [[ $stderr == "mpi-adapter: LD_PRELOAD, which ./program needs, cannot hold $PWD/a cache/"*"; set XDG_CACHE_HOME to another folder of yours" ]]
}
