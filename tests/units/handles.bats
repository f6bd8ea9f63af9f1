#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# Integer handles for the host's pointers: the codec on its own, and in programs whose memory lies
# low or is spread over the address space.

load ../pair
use_pair mpich-to-openmpi

setup() {
    cd "$BATS_TEST_TMPDIR"
}

@test "pointers are compressed and expanded, wherever they lead, also where eight threads meet new regions at once" {
    compile_adapter_source compress.o "$top/adapter-c/convert/compress.c" -O2
    compile_adapter_source index.o "$top/adapter-c/convert/index.c" -O2
    compile_adapter_source compressed.o "$here/programs/compressed.c" -O2
    "$CC" -pthread -o compressed compressed.o compress.o index.o
    [ "$(./compressed)" = right ]
    for _ in 1 2 3 4 5 6 7 8 9 10; do
        [ "$(./compressed threads)" = right ]
    done
}

@test "a thread that is stopped while it adds a range leads no other thread astray" {
    mkdir stopped
    sed 's/^ *__atomic_store_n(&ranges.*/usleep(100); & usleep(500);/' "$top/adapter-c/convert/compress.c" > stopped/compress.c
    [ "$(grep -c usleep stopped/compress.c)" -eq 1 ]
    "$CC" -std=gnu11 -O2 -pthread -include unistd.h -o compressed "$here/programs/compressed.c" stopped/compress.c "$top/adapter-c/convert/index.c" \
        "${includes[@]}" -I"$top/tests"
    [ "$(./compressed threads)" = right ]
}

@test "handles the application gets never look like predefined ones" {
    # Of MPICH's predefined handles the upper bits are 01, or 10 with 0x0c to 0x0f behind.
    awk '$2 ~ /^MPI_[A-Z]/ && $3 == "int" { print $4 }' "$top"/abi-tables/mpich-*/constants | sort -un > values
    [ "$(wc -l < values)" -gt 80 ]
    while read -r value; do
        ((value &= 0xffffffff, value < 0x80000000 || (value >= 0x8c000000 && value < 0x90000000))) ||
            { printf '%x\n' "$value"; return 1; }
    done < values
}

# preserved FLAG...: prints what a conversion on the slow way loses when the adapter is compiled so, or "right".
preserved() {
    compile_adapter_source codec.o "$top/adapter-c/convert/codec.c" -O2 -Dinteger_slow=replaced
    compile_adapter_source preserved.o "$here/programs/preserved.c" -O2 -mno-red-zone "$@"
    "$CC" -o preserved preserved.o codec.o
    ./preserved
}

@test "the slow way of a conversion changes nothing around it, whatever registers the compiler uses" {
    [ "$(uname -m)" = x86_64 ] || skip "it is a procedure like any other"
    [ "$(preserved)" = right ]
    ! grep -qw avx2 /proc/cpuinfo || [ "$(preserved -mavx2)" = right ]
}

@test "a program at fixed addresses, whose heap lies below 1 GiB" {
    app_program fixed "$top/tests/isolation/programs/components.c" -no-pie -fno-pie -Wl,-z,norelro
    [ "$(LOW=1 on_ranks 2 setarch -R ./fixed collective 2> messages)" = right ]
    [ "$(LOW=1 on_ranks 2 setarch -R ./fixed window 2> messages)" = right ]
}

@test "programs whose memory lies in 40 regions" {
    "$CC" -O1 -Wall -shared -fPIC -pthread -fno-builtin -o libspread.so "$here/programs/spread.c"
    app_program components "$top/tests/isolation/programs/components.c"
    host_program oracle "$top/tests/isolation/programs/components.c"
    for work in collective window "file $PWD/file"; do
        # shellcheck disable=SC2086  # a list of words
        [ "$(natively 2 -x LD_PRELOAD="$PWD/libspread.so" ./oracle $work 2> messages)" = right ]
        # shellcheck disable=SC2086
        [ "$(SPREAD=1 on_ranks 2 -x LD_PRELOAD="$PWD/libspread.so" ./components $work 2> messages)" = right ]
    done
}
