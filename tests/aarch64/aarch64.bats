#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# The parts of the adapter that aarch64 has for itself: gotswap, trampolines, the codec. A cross compiler makes them, and qemu
# runs them with arm64's C library and libelf, without an MPI. `make check-aarch64` runs all the rest.

bats_require_minimum_version 1.5.0

setup_file() {
    export top qemu compiler=aarch64-linux-gnu-gcc
    top=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
    export BUILD=${BUILD:-$top/build} system=${BUILD:-$top/build}/arm64
    [ "$(uname -m)" != aarch64 ] || skip "every test runs on aarch64 here"
    # Which of the two is linked statically: LD_PRELOAD and the like are for the program.
    qemu=$(type -P qemu-aarch64-static qemu-aarch64 | sed -n 1p)
    [ -n "$qemu" ] && type -P "$compiler" || skip "there is no qemu-aarch64 or no $compiler"
    "$top/scripts/unpack-packages" arm64 "$system" libelf-dev || skip "arm64's libelf cannot be had"
    # GOTSWAP_TEST_RUN is words, and the build folder's name may have a space.
    ln -s "$system" "$BATS_FILE_TMPDIR/system"
    system=$BATS_FILE_TMPDIR/system
    export CC=$BATS_FILE_TMPDIR/cc
    printf '#!/bin/sh\nexec %s --sysroot=%s "$@"\n' "$compiler" "'$system'" > "$CC"
    chmod +x "$CC"
}

setup() {
    cd "$BATS_TEST_TMPDIR"
}

emulated() { "$qemu" -L "$system" "$@"; }

# adapter_program OUTPUT SOURCE...: with what was generated for a pair, which is the same for every architecture.
adapter_program() {
    "$CC" -std=gnu11 -O2 -fPIC -Wall -Wextra -Werror -Wno-unused-parameter -pthread -I"$BUILD/host/openmpi/generated" \
        -I"$top/adapter-c" -I"$top/tests" -o "$@"
}

# bats test_tags=long
@test "gotswap passes its tests" {
    make -C "$top" -f gotswap/gotswap.mk BUILD="$PWD/build" CC="$CC" gotswap > log 2>&1 || { cat log; return 1; }
    run env BUILD="$PWD/build" GOTSWAP_TEST_RUN="$qemu -L $system" GOTSWAP_TEST_ROOT="$system" \
        bats "$top/tests/gotswap/roundtrip.bats" "$top/tests/gotswap/objects.bats"
    echo "$output"
    [ "$status" -eq 0 ]
    [[ $output != *' 0 tests'* ]]
}

@test "trampolines: one for each of 100000 functions, from eight threads, never writable code" {
    adapter_program closures "$top/tests/units/programs/closures.c" "$top"/adapter-c/{callbacks/closure,convert/index}.c
    [ "$(emulated ./closures)" = right ]
}

@test "trampolines where the file cannot be mapped again: those of one block, a message, no crash" {
    for what in deleted replaced shortened; do
        adapter_program closures "$top/tests/units/programs/closures.c" "$top"/adapter-c/{callbacks/closure,convert/index}.c
        [[ $(emulated ./closures $what) == 'cannot create more than '* ]]
    done
}

@test "code that detours are made of, and the library that has it" {
    "$CC" -std=gnu11 -O2 -Wall -Wextra -Werror -I"$top/detour" -o code "$top/tests/inside/code.c" "$top/detour/code.c"
    [ "$(emulated ./code)" = right ]
    make -C "$top" -f detour/detour.mk BUILD="$PWD/build" CC="$CC" detour > log 2>&1 || { cat log; return 1; }
    [ -f build/lib/mpi-adapter/detour.so ]
    # A program, and a library, with as much of an MPI inside as it looks for; and as much of a pair.
    mkdir pair
    touch pair/pair.conf
    printf '#include <stdio.h>\nint *MPI_UNWEIGHTED;\nint PMPI_Init(int *c, char ***v) { return puts("pair") < 0; }\n%s\n' \
        'int MPI_Init(int *, char ***) __attribute__((weak, alias("PMPI_Init")));' > pair.c
    "$CC" -shared -fPIC -o pair/libmpich.so.12 pair.c
    "$CC" -O1 -o program "$top/tests/inside/false.c"
    "$CC" -O1 -fPIC -shared -Dmain=solve -o libsolver.so "$top/tests/inside/false.c"
    printf 'int solve(int, char **);\nint main(int argc, char **argv) { return solve(argc, argv); }\n' > solves.c
    "$CC" -o solves solves.c -L. -lsolver -Wl,-rpath,"$PWD"
    [ "$(emulated ./program)" = inside ]
    for program in ./program ./solves; do
        run emulated -E LD_PRELOAD="$PWD/build/lib/mpi-adapter/detour.so" -E LD_LIBRARY_PATH="$PWD/pair" $program
        echo "$output"
        [ "$output" = pair ]
        run emulated -E LD_PRELOAD="$PWD/build/lib/mpi-adapter/detour.so" -E LD_LIBRARY_PATH="$PWD/pair" $program nothing
        [[ $output == 'mpi-adapter: '*' calls PMPI_Nothing of the MPI that is linked into it, which nothing here replaces'* ]]
    done
}

@test "pointers are compressed and expanded, wherever they lead, from eight threads at once, too" {
    adapter_program compressed "$top/tests/units/programs/compressed.c" "$top"/adapter-c/convert/{compress,index}.c
    [ "$(emulated ./compressed)" = right ]
    [ "$(emulated ./compressed threads)" = right ]
}

@test "the table of check-aarch64 fails for what is not listed, is gone, or was not tried" {
    printf 'c\topenmpi-to-mpich rma\talways\treason\nc\tmpich rma\tsometimes\treason\n' > known
    printf '%s\n' 'ok   openmpi-to-mpich p2p on 2 ranks' 'noise' "FAIL openmpi-to-mpich rma on 2 ranks: exit code 1, stdout ''" \
        'ok   a test # skip for a reason' > c.log
    "$top/tests/aarch64/summary" known . c > table
    grep -qE '^c openmpi-to-mpich +1 +0 +0 +1$' table
    grep -qE '^c +0 +0 +1 +0$' table
    echo 'FAIL openmpi-to-mpich p2p.77 prints something else than natively:' >> c.log
    run -1 "$top/tests/aarch64/summary" known . c
    [[ $output == *'FAILED: c: openmpi-to-mpich p2p.77; see '* ]]
    echo 'ok   openmpi-to-mpich rma on 2 ranks' > c.log
    run -1 "$top/tests/aarch64/summary" known . c
    [[ $output == *'GONE: known.tsv lists c: openmpi-to-mpich rma, which did not fail; remove the line'* ]]
    : > c.log
    run -1 "$top/tests/aarch64/summary" known . c
    [[ $output == *'c did not get as far as to try anything'* ]]
}
