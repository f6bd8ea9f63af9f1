#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# Libraries that a program and the host's MPI both bring: each side gets its own, or the process says which one cannot serve both.

load ../pair.bash

setup() {
    cd "$BATS_TEST_TMPDIR"
}

# library_of NAME: the system's file.
library_of() {
    PATH=$PATH:/sbin:/usr/sbin ldconfig -p | sed -n "s/^[[:space:]]*$1 .* => //p" | sed -n 1p
}

# host_library: the host's MPI.
host_library() {
    local name
    for name in $(pair_facts host_libraries); do
        library_of "$name"
    done | sed -n 1p
}

# needed_by_host SONAME: whether the host's MPI needs it, directly or not.
needed_by_host() {
    "$build/lib/mpi-adapter/elf-facts" --closure '' '' "$(host_library)" | cut -f 1 | grep -xF "$1" > /dev/null
}

# stub SONAME [ALL]: lib/SONAME, which has one function; with ALL, each function of the system's library, too, which ends the
# process: nothing of the host's may call it.
stub() {
    mkdir -p lib
    {
        echo 'int tree_library(void) { return 7; } void abort(void);'
        [ "${2-}" != all ] || nm -D --defined-only "$(library_of "$1")" |
            sed -nE 's/^[0-9a-f]+ [TW] ([A-Za-z_0-9]+)$/void \1(void) { abort(); }/p; s/^[0-9a-f]+ [BDRV] ([A-Za-z_0-9]+)$/char \1[4096];/p'
    } | sed -E '/ (_init|_fini)\(/d' > stub.c
    "$CC" -w -shared -fPIC -fno-builtin -Wl,-soname,"$1" -o "lib/$1" stub.c
}

# brings SONAME OPTION...: a program that is linked with lib/SONAME.
brings() {
    app_program program -DBRINGS "$top/tests/trees/program.c" -Wl,--no-as-needed "lib/$1" -Wl,--unresolved-symbols=ignore-in-shared-libs "${@:2}"
}

by_rpath=(-Wl,--disable-new-dtags,-rpath,'$ORIGIN/lib')
by_runpath=(-Wl,--enable-new-dtags,-rpath,'$ORIGIN/lib')

# runs_right: two ranks, each of which has both. A launcher may part their lines and their ends.
runs_right() {
    [ "$(on_ranks 2 ./program 2> said | tr -d '\n')" = rightright ] || { cat said; return 1; }
    [ ! -s said ] || { cat said; return 1; }
}

hwloc_lacks_functions() {
    needed_by_host libhwloc.so.15 || return 0
    stub libhwloc.so.15
    brings libhwloc.so.15 "${by_rpath[@]}"
    runs_right
    brings libhwloc.so.15 "${by_runpath[@]}"
    runs_right
}

@test "a program's libhwloc that lacks functions is the program's, and the host's MPI has its own" {
    for_each_pair hwloc_lacks_functions
}

hwloc_differs() {
    needed_by_host libhwloc.so.15 || return 0
    stub libhwloc.so.15 all
    brings libhwloc.so.15 "${by_rpath[@]}"
    runs_right
}

@test "nothing of the host's calls a program's libhwloc that has all functions and other structures" {
    for_each_pair hwloc_differs
}

# Nothing has loaded it, but the dynamic linker would find it for the host.
hwloc_lies_there() {
    needed_by_host libhwloc.so.15 || return 0
    stub libhwloc.so.15 all
    app_program program "$top/tests/trees/program.c" "${by_rpath[@]}"
    runs_right
    app_program program "$top/tests/trees/program.c"
    folder+=:$PWD/lib
    runs_right
}

@test "a libhwloc that lies in the program's DT_RPATH or LD_LIBRARY_PATH is not loaded for the host's MPI" {
    for_each_pair hwloc_lies_there
}

hwloc_by_environment() {
    needed_by_host libhwloc.so.15 || return 0
    stub libhwloc.so.15 all
    brings libhwloc.so.15
    folder+=:$PWD/lib
    runs_right
}

@test "a program finds its own libhwloc by LD_LIBRARY_PATH, and the host's MPI the system's" {
    for_each_pair hwloc_by_environment
}

# A plugin needs it, which comes later.
pmix_differs() {
    [ "$host" = openmpi ] && [ -n "$(library_of libpmix.so.2)" ] || return 0
    stub libpmix.so.2 all
    brings libpmix.so.2 "${by_rpath[@]}"
    runs_right
}

@test "plugins of the host's get the host's libpmix, and what that opens" {
    for_each_pair pmix_differs
}
