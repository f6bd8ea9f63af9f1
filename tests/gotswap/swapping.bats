#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# Properties of all objects: arguments, protections, threads, and the library's own shape.

load common

setup_file() {
    load common
    cd "$BATS_FILE_TMPDIR"
    library libcallee.so "$here/callee.c" -Wl,-soname,libcallee.so
    library libcaller.so -Wl,-soname,libcaller.so -DLIBRARY "$here/caller.c" -L. -lcallee \
        -Wl,-rpath,"$PWD" -Wl,-z,relro,-z,now
    # A program that replaces mprotect() must not have its caller in the data pages too.
    mkdir -p got
    library got/libcaller.so -Wl,-soname,libcaller.so "$here/caller.c" -L. -lcallee \
        -Wl,-rpath,"$PWD" -Wl,-z,relro,-z,now
    library libmany.so "$here/many.c" -Wl,-z,relro,-z,now
    program threads "$here/threads.c" -pthread
}

setup() {
    cd "$BATS_FILE_TMPDIR"
}

with_caller() { # with_caller DIRECTORY
    echo "-L$1 -lcaller -L. -lcallee -Wl,-rpath,$PWD/$1 -Wl,-rpath,$PWD"
}

@test "wrong arguments, stopped iterations, addends, one pass over several symbols" {
    program corners "$here/corners.c" $(with_caller .)
    run_tool ./corners
}

@test "pages that cannot be made writable, or protected again" {
    program protection "$here/protection.c" $(with_caller got)
    run_tool ./protection
}

@test "one pass changes the protection of a range of pages once" {
    program passes "$here/passes.c" $(with_caller got)
    run_tool ./passes
}

@test "what an object defines, by each kind of hash table" {
    local style
    for style in gnu sysv both; do
        library "lib$style.so" "$here/definitions.c" -Wl,--hash-style="$style"
        library "lib$style-symbolic.so" "$here/definitions.c" -Wl,--hash-style="$style" -Wl,-Bsymbolic
    done
    program defined "$here/defined.c" -ldl
    run_tool ./defined 0 ./lib{gnu,sysv,both}.so
    run_tool ./defined 1 ./lib{gnu,sysv,both}-symbolic.so
}

@test "eight threads, each with its own object" {
    for i in 0 1 2 3 4 5 6 7; do cp libmany.so "libmany$i.so"; done
    run_tool ./threads ./libmany{0,1,2,3,4,5,6,7}.so
}

@test "eight threads with the same read-only pages of one object" {
    run_tool ./threads ./libmany.so
}

@test "exported symbols are those of the reviewed list" {
    nm -D --defined-only "$built/libgotswap.so.1" | awk '$2 != "A" { print $3 }' | sort > exported
    grep -v '^#' "$top/gotswap/gotswap.symbols" > listed
    LC_ALL=C sort -c listed
    diff <(sed 's/$/@@GOTSWAP_1/' listed) <(LC_ALL=C sort exported)
    diff <(sed 's/$/@GOTSWAP_1/' listed) <(sed -n 's/^ \(gotswap_[^ ]*\) .*/\1/p' "$top/packaging/debian/libgotswap1.symbols" | LC_ALL=C sort)
    grep -o 'gotswap_[a-z_]*(' "$top/gotswap/gotswap.h" | tr -d '(' | sort -u > declared
    while read -r name; do grep -qx "$name" declared; done < listed
}

@test "the header is complete in C11 and C++" {
    echo '#include "gotswap.h"' > header.c
    cp header.c header.cc
    "$CC" -std=c11 -Wall -Wextra -Wstrict-prototypes -pedantic -Werror -I"$top/gotswap" -c header.c
    "$CC" -x c++ -fsyntax-only /dev/null || skip "no C++ compiler"
    "$CC" -x c++ -Wall -Wextra -pedantic -Werror -I"$top/gotswap" -c header.cc
}

@test "the manual page shows every exported function" {
    while read -r name; do
        grep -q "$name" "$top/docs/man/gotswap.3"
    done < <(grep -v '^#' "$top/gotswap/gotswap.symbols")
}
