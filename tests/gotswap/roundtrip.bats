#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# Swapping and restoring in every way of linking an object.

load common

setup_file() {
    load common
    library "$BATS_FILE_TMPDIR/libcallee.so" "$here/callee.c"
}

setup() {
    cd "$BATS_FILE_TMPDIR"
}

callee() {
    echo "-L$BATS_FILE_TMPDIR -lcallee -Wl,-rpath,$BATS_FILE_TMPDIR"
}

# unused FILE LINKING: how many slots of the function no call resolves as calls go by a table without a PLT. For an
# address in data, the linker of aarch64 makes an entry of the PLT all the same.
unused() {
    case $2 in
    *-z,lazy*) LC_ALL=C readelf -rW "$1" |
        awk '$5 == "callee" && $3 ~ /JUMP_SLO/ { made++ } $5 == "callee" && $3 ~ /GLOB_DAT/ { direct = 1 }
             END { print direct ? made + 0 : 0 }' ;;
    *) echo 0 ;;
    esac
}

# executable MODE LINKING EXPECTED-UNRESOLVED: PLT calls, and all kinds of addresses
executable() {
    local mode=$1 linking=$2 unresolved=$3 pic=-fPIE
    [ "$mode" = -pie ] || pic=-fno-pie
    program plt $mode $pic $linking "$here/roundtrip.c" "$here/caller.c" $(callee) -rdynamic
    run_tool ./plt fresh "$unresolved" any
    run_tool ./plt bound 0 original
    program got $mode $pic -fno-plt $linking "$here/roundtrip.c" "$here/caller.c" $(callee) -rdynamic
    run_tool ./got bound "$(unused got "$linking")" original
}

shared() { # shared LINKING EXPECTED-UNRESOLVED
    local linking=$1 unresolved=$2
    library libcaller.so -DLIBRARY $linking "$here/caller.c" $(callee)
    program main -DLIBRARY "$here/roundtrip.c" -L. -lcaller -Wl,-rpath,"$PWD" $(callee)
    run_tool ./main fresh "$unresolved" original
    run_tool ./main bound 0 original
    library libcaller.so -DLIBRARY -fno-plt $linking "$here/caller.c" $(callee)
    unresolved=$(unused libcaller.so "$linking")
    run_tool ./main fresh "$unresolved" original
    run_tool ./main bound "$unresolved" original
}

@test "the former address is not the executable's own PLT entry" {
    echo 'extern int callee(void); void *address(void); void *address(void) { return callee; }' > got.c
    compile -fPIC -c got.c -o got.o
    # A constant address makes the PLT entry the address of the function.
    echo 'extern int callee(void); int (*const constant)(void) = callee;' > constant.c
    program both -no-pie -fno-pie -Wl,-z,lazy "$here/roundtrip.c" "$here/caller.c" constant.c got.o \
        $(callee)
    run_tool ./both bound 0 original
}

no_relro_lazy="-Wl,-z,norelro -Wl,-z,lazy"
no_relro_now="-Wl,-z,norelro -Wl,-z,now"
partial_relro="-Wl,-z,relro -Wl,-z,lazy"
full_relro="-Wl,-z,relro -Wl,-z,now"

@test "PIE executable, no RELRO, lazy" { executable -pie "$no_relro_lazy" 1; }
@test "PIE executable, no RELRO, eager" { executable -pie "$no_relro_now" 0; }
@test "PIE executable, partial RELRO" { executable -pie "$partial_relro" 1; }
@test "PIE executable, full RELRO" { executable -pie "$full_relro" 0; }
@test "non-PIE executable, no RELRO, lazy" { executable -no-pie "$no_relro_lazy" 1; }
@test "non-PIE executable, no RELRO, eager" { executable -no-pie "$no_relro_now" 0; }
@test "non-PIE executable, partial RELRO" { executable -no-pie "$partial_relro" 1; }
@test "non-PIE executable, full RELRO" { executable -no-pie "$full_relro" 0; }
@test "shared library, no RELRO, lazy" { shared "$no_relro_lazy" 1; }
@test "shared library, no RELRO, eager" { shared "$no_relro_now" 0; }
@test "shared library, partial RELRO" { shared "$partial_relro" 1; }
@test "shared library, full RELRO" { shared "$full_relro" 0; }

@test "read from memory, an object has the slots that its file has, and they are swapped alike" {
    local linking large
    program memory "$here/memory.c" -rdynamic
    for linking in "$no_relro_lazy" "$no_relro_now" "$partial_relro" "$full_relro"; do
        library libmemory.so -DLIBRARY $linking "$here/caller.c" $(callee)
        run_tool ./memory "$PWD/libmemory.so"
        library libmemory.so -DLIBRARY -fno-plt $linking "$here/caller.c" $(callee)
        run_tool ./memory "$PWD/libmemory.so"
    done
    program memory -no-pie -fno-pie "$here/memory.c" -rdynamic
    for large in libstdc++.so.6 libmpich.so.12 libmpi.so.40; do
        [ -n "${GOTSWAP_TEST_RUN:-}" ] || [ ! -e "$("$CC" -print-file-name=$large)" ] || run_tool ./memory $large "$PWD/libmemory.so"
    done
}
