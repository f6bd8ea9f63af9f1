#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# Libraries that a program and the host's MPI both bring: each side gets its own, or the process says which one cannot serve both.

load ../pair.bash

# Tests that differ by the host use these pairs, those of the command alone the first one.
setup() {
    cd "$BATS_TEST_TMPDIR"
    two=${PAIRS:-$(native_pairs)}
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
    "$build/tools/elf-facts" --closure '' '' "$(host_library)" | cut -f 1 | grep -xF "$1" > /dev/null
}

# stub SONAME [all]: lib/SONAME, which has one function; with `all`, each function of the system's library, too, which ends the
# process: nothing of the host's may call it.
stub() {
    mkdir -p lib
    {
        echo 'int tree_library(void) { return 7; } void abort(void);'
        [ "${2-}" != all ] || nm -D --defined-only "$(library_of "$1")" |
            sed -nE 's/^[0-9a-f]+ [TW] ([A-Za-z_0-9]+)$/void \1(void) { abort(); }/p; s/^[0-9a-f]+ [BDRV] ([A-Za-z_0-9]+)$/char \1[4096];/p'
    } | sed -E '/ (_init|_fini)\(/d' > stub.c
    compile_stub "$1"
}

compile_stub() {
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

# Bitmaps of this one are larger. Nobody but the program makes any.
hwloc_differs() {
    needed_by_host libhwloc.so.15 || return 0
    stub libhwloc.so.15 all
    sed -i '/ hwloc_bitmap_alloc(/d; s/^int tree_library.*/void abort(void);/' stub.c
    cat >> stub.c <<'END'
struct hwloc_bitmap_s { long more[64]; struct hwloc_bitmap_s *own; };
static struct hwloc_bitmap_s sets[2];
static int made;
struct hwloc_bitmap_s *hwloc_bitmap_alloc(void) { return sets[made].own = &sets[made], &sets[made++]; }
int tree_library(void) { return hwloc_bitmap_alloc()->own == sets && made == 1 ? 7 : 0; }
END
    compile_stub libhwloc.so.15
    brings libhwloc.so.15 "${by_rpath[@]}"
    runs_right
}

@test "nothing of the host's calls a program's libhwloc that has all functions and larger structures" {
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
    PAIRS=$two for_each_pair hwloc_lies_there
}

hwloc_by_environment() {
    needed_by_host libhwloc.so.15 || return 0
    stub libhwloc.so.15 all
    brings libhwloc.so.15
    # The launcher, which needs one, too, would die of it.
    for words in 'run --to HOST -n 2' 'exec -- LAUNCHER -n 2'; do
        words=${words/HOST/"$host"}
        # shellcheck disable=SC2086
        LD_LIBRARY_PATH=$PWD/lib run --separate-stderr "$command" ${words/LAUNCHER/"$launcher"} ./program
        echo "$words: $output $stderr"
        [ "$status" -eq 0 ]
        [ "${output//$'\n'}" = rightright ]
    done
    folder+=:$PWD/lib
    runs_right
}

@test "a program finds its own libhwloc by LD_LIBRARY_PATH, and the host's MPI the system's" {
    PAIRS=$two for_each_pair hwloc_by_environment
}

# A plugin needs it, which comes later.
pmix_differs() {
    [ "$host" = openmpi ] && [ -n "$(library_of libpmix.so.2)" ] || return 0
    stub libpmix.so.2 all
    brings libpmix.so.2 "${by_rpath[@]}"
    runs_right
}

@test "plugins of the host's get the host's libpmix, and what that opens" {
    PAIRS=$two for_each_pair pmix_differs
}

# versioned SONAME VERSION [OPTION...]: lib/SONAME, which defines this version, and a program that brings it.
versioned() {
    mkdir -p lib
    echo "$2 { global: tree_library; };" > stub.map
    "$CC" -shared -fPIC -Wl,-soname,"$1" -Wl,--version-script,stub.map -o "lib/$1" -x c - <<< 'int tree_library(void) { return 7; }'
    app_program program "$top/tests/trees/program.c" -Wl,--no-as-needed "lib/$1" -Wl,--unresolved-symbols=ignore-in-shared-libs \
        "${by_rpath[@]}" "${@:3}"
}

defined_versions() { "$build/tools/elf-facts" --versions "$(library_of "$1")" | sed -n 's/^defined //p' | sort -V; }

# The stub has the newest version, and not the first, which is needed. The system's has both.
too_old_and_served() {
    needed_by_host libudev.so.1 || return 0
    local first last
    first=$(defined_versions libudev.so.1 | sed -n 1p) last=$(defined_versions libudev.so.1 | sed -n '$p')
    versioned libudev.so.1 "$last"
    run --separate-stderr adapted ./program
    [ "$status" -eq 1 ]
    [ -z "$output" ]
    one_line "$stderr"
    [[ $stderr == *"$PWD/lib/libudev.so.1 of the program lacks $first"*"$(library_of libudev.so.1) serves both"* ]]
    # The command preloads that.
    run --separate-stderr "$command" run --to "$host" -n 2 ./program
    echo "$output $stderr"
    [ "$status" -eq 0 ]
    [ "${output//$'\n'}" = rightright ]
}

@test "a library with versions is one for both: the host's, if it comes first, or a message names both files" {
    PAIRS=$two for_each_pair too_old_and_served
}

cannot_be_served() {
    needed_by_host libudev.so.1 || return 0
    versioned libudev.so.1 TREES_OWN_1 -DBRINGS
    run --separate-stderr adapted ./program
    [ "$status" -eq 1 ]
    [ -z "$output" ]
    one_line "$stderr"
    [[ $stderr == *"$PWD/lib/libudev.so.1 of the program lacks "*"$(library_of libudev.so.1) lacks versions that the program's has"* ]]
    run --separate-stderr "$command" run --to "$host" -n 2 ./program
    [ "$status" -eq 1 ]
    [ -z "$output" ]
    one_line "$stderr"
    [[ $stderr == *"$PWD/lib/libudev.so.1 of the program lacks "*"$(library_of libudev.so.1)"* ]]
    run --separate-stderr "$command" exec -- "$launcher" -n 2 ./program
    [ "$status" -eq 1 ]
    one_line "$stderr"
    [[ $stderr == *"$PWD/lib/libudev.so.1 of the program lacks "*"$(library_of libudev.so.1)"* ]]
    run -0 "$command" explain ./program
    [ "$(sed -n "/^  $pair:/,/^  [^ ]/s|^ *both bring libudev.so.1: $PWD/lib/libudev.so.1 of the program lacks .*$(library_of libudev.so.1) .*|told|p" <<< "$output")" = told ]
}

@test "a library with versions that cannot be one for both is refused, by the command before anything starts" {
    PAIRS=$two for_each_pair cannot_be_served
}

# The C library's and the C++ runtime's newest version that anybody has.
needs_newer() {
    local name=$1 version=$2
    mkdir -p lib stubs
    echo "$version { global: tree_library; };" > stub.map
    "$CC" -shared -fPIC -Wl,-soname,"$name" -Wl,--version-script,stub.map -o "stubs/$name" -x c - <<< 'int tree_library(void) { return 7; }'
    app_program program -DBRINGS "$top/tests/trees/program.c" "stubs/$name" -Wl,--unresolved-symbols=ignore-all
    for words in "run --to $host -n 2" 'exec -- LAUNCHER -n 2' 'env'; do
        # shellcheck disable=SC2086
        run --separate-stderr "$command" ${words/LAUNCHER/"$launcher"} ./program
        echo "$words: $output $stderr"
        [ "$status" -eq 1 ]
        [ -z "$output" ]
        one_line "$stderr"
        [[ $stderr == *"program needs $version of $(library_of "$name"), and that has ${version%%_*}_"[0-9]*" at most; "* ]]
    done
}

@test "a program that needs a newer C library, or C++ runtime, is refused before anything starts, with both files" {
    PAIRS=${two%%[[:space:]]*} for_each_pair needs_newer libc.so.6 GLIBC_2.99
    rm -rf ./*-to-*
    PAIRS=${two%%[[:space:]]*} for_each_pair needs_newer libstdc++.so.6 GLIBCXX_3.4.99
}

# library FOLDER NAME OPTION... VERSION...: FOLDER/libNAME.so.1, which defines these versions of a function NAME_VERSION each.
library() {
    local folder=$1 name=$2 version options=()
    shift 2
    mkdir -p "$folder"
    while [[ $1 == -* || $1 == *.c || $1 == */* ]]; do options+=("$1"); shift; done
    for version; do echo "${version} { global: ${name}_${version}; };"; done > version.map
    for version; do echo "int ${name}_${version}(void) { return 0; }"; done |
        "$CC" -shared -fPIC -Wl,-soname,"lib$name.so.1" -Wl,--version-script,version.map -o "$folder/lib$name.so.1" -x c - -x none \
            -Wl,--no-as-needed "${options[@]}"
}

# The program's liby would serve the host, but not with the host's libx.
@test "a library of the program's that does not fit what the host's needs is not taken with that" {
    build=$(cd "${BUILD:-$top/build}" && pwd)
    library host x X_1 X_2
    library program x X_1 X_3
    echo 'int x_X_2(void); int uses_x(void) { return x_X_2(); }' > host.c
    echo 'int x_X_3(void); int uses_x(void) { return x_X_3(); }' > program.c
    library host y host.c "$PWD/host/libx.so.1" Y_1
    library program y program.c "$PWD/program/libx.so.1" Y_1
    echo 'int y_Y_1(void), x_X_2(void); int host(void) { return y_Y_1() + x_X_2(); }' |
        "$CC" -shared -fPIC -o host/libhost.so -x c - -x none host/liby.so.1 host/libx.so.1 -Wl,-rpath,"$PWD/host"
    "$CC" -o main -x c - -Wl,--disable-new-dtags,-rpath,"$PWD/program" <<< 'int main(void) { return 0; }'
    "$build/tools/elf-facts" --conflicts '' '' /nowhere "$PWD/host/libhost.so" main | sort > said
    cat said
    [ "$(cut -f 1,2 said)" = "first"$'\t'"$PWD/host/libx.so.1"$'\n'"first"$'\t'"$PWD/host/liby.so.1" ]
    # One that fits is taken.
    echo 'int x_X_1(void); int uses_x(void) { return x_X_1(); }' > program.c
    library program y program.c "$PWD/program/libx.so.1" Y_1
    [ "$("$build/tools/elf-facts" --conflicts '' '' /nowhere "$PWD/host/libhost.so" main | cut -f 2)" = "$PWD/host/libx.so.1" ]
}

# A new libstdc++ is needed by the host's libxml2 alone, by way of its ICU. Nobody needs that libxml2.
@test "what only a library of the host's needs that nobody loads is not asked of the program's" {
    library host s S_1 S_2
    library program s S_1
    echo 'int s_S_2(void); int uses_s(void) { return s_S_2(); }' > needs.c
    library host i needs.c "$PWD/host/libs.so.1" I_2
    library host x "$PWD/host/libi.so.1" X_1
    library program x X_1
    echo 'int x_X_1(void); int host(void) { return x_X_1(); }' > host.c
    "$CC" -shared -fPIC -o host/libhost.so host.c host/libx.so.1 -Wl,--disable-new-dtags,-rpath,"$PWD/host"
    "$CC" -o main -x c - -x none -Wl,--no-as-needed program/libs.so.1 program/libx.so.1 -Wl,--disable-new-dtags,-rpath,"$PWD/program" <<< 'int main(void) { return 0; }'
    [ -z "$("$build/tools/elf-facts" --conflicts '' '' /nowhere "$PWD/host/libhost.so" main)" ]
    # One that the program's cannot replace is loaded, with what it needs. That the program's has another version, which nobody needs, is no
    # loss; but it is if the program does.
    library program x X_0
    preloads=$'preload\t'$PWD/host/libs.so.1$'\n'$'preload\t'$PWD/host/libx.so.1
    [ "$("$build/tools/elf-facts" --conflicts '' '' /nowhere "$PWD/host/libhost.so" main | cut -f 1,2 | sort)" = "$preloads" ]
    "$CC" -o main -x c - -x none -Wl,--no-as-needed program/libs.so.1 program/libx.so.1 -Wl,--disable-new-dtags,-rpath,"$PWD/program" <<< \
        'int x_X_0(void); int main(void) { return x_X_0(); }'
    [ "$("$build/tools/elf-facts" --conflicts '' '' /nowhere "$PWD/host/libhost.so" main | cut -f 1,2 | sort)" = "${preloads/preload?"$PWD/host/libx"/refused$'\t'"$PWD/host/libx"}" ]
}

# liba is needed first and asks libb for nothing new. Only libc, which the program's cannot replace, needs a new libb, and that a new libd.
@test "a library that is needed late is asked for what it needs, whoever needed it before" {
    library host d D_1 D_2
    library program d D_1
    echo 'int d_D_2(void); int uses_d(void) { return d_D_2(); }' > b.c
    library host b b.c "$PWD/host/libd.so.1" B_1 B_2
    library program b B_1
    echo 'int b_B_1(void); int uses_b(void) { return b_B_1(); }' > a.c
    library host a a.c "$PWD/host/libb.so.1" A_1
    echo 'int b_B_2(void); int uses_b(void) { return b_B_2(); }' > c.c
    library host c c.c "$PWD/host/libb.so.1" C_1 C_2
    library program c C_1
    echo 'int a_A_1(void), c_C_2(void); int host(void) { return a_A_1() + c_C_2(); }' > host.c
    "$CC" -shared -fPIC -o host/libhost.so host.c host/lib[ac].so.1 -Wl,--disable-new-dtags,-rpath,"$PWD/host",-rpath-link,"$PWD/host"
    "$CC" -o main -x c - -x none -Wl,--no-as-needed program/lib[bcd].so.1 -Wl,--disable-new-dtags,-rpath,"$PWD/program" <<< 'int main(void) { return 0; }'
    "$build/tools/elf-facts" --conflicts '' '' /nowhere "$PWD/host/libhost.so" main | cut -f 1,2 | sort > said
    cat said
    [ "$(cat said)" = "$(printf 'preload\t%s\n' "$PWD"/host/lib[bcd].so.1)" ]
}

# As librdmacm needs what libibverbs defines for those of its own release.
@test "libraries of the program's that need each other's own versions come from the host together" {
    library host x X_1 X_PRIVATE_2
    library program x X_PRIVATE_1
    echo 'int x_X_PRIVATE_1(void); int uses_x(void) { return x_X_PRIVATE_1(); }' > uses.c
    library host y Y_1
    library program y uses.c "$PWD/program/libx.so.1" Y_1
    echo 'int x_X_1(void), y_Y_1(void); int host(void) { return x_X_1() + y_Y_1(); }' > host.c
    "$CC" -shared -fPIC -o host/libhost.so host.c host/libx.so.1 host/liby.so.1 -Wl,--disable-new-dtags,-rpath,"$PWD/host"
    "$CC" -o main -x c - -x none -Wl,--no-as-needed program/libx.so.1 program/liby.so.1 -Wl,--disable-new-dtags,-rpath,"$PWD/program" <<< 'int main(void) { return 0; }'
    "$build/tools/elf-facts" --conflicts '' '' /nowhere "$PWD/host/libhost.so" main | sort > said
    cat said
    [ "$(cut -f 1,2 said)" = $'preload\t'"$PWD/host/libx.so.1"$'\npreload\t'"$PWD/host/liby.so.1" ]
    grep "liby.so.1: $PWD/host/liby.so.1 is to come first, as $PWD/program/liby.so.1 needs X_PRIVATE_1, which another library of the host's lacks" said
}

@test "libnl, whose parts register with each other, is one for both" {
    local folder
    for folder in host program; do
        mkdir -p "$folder"
        "$CC" -shared -fPIC -Wl,-soname,libnl-route-3.so.200 -o "$folder/libnl-route-3.so.200" -x c - <<< 'int route(void) { return 0; }'
    done
    "$CC" -shared -fPIC -o host/libhost.so -x c - -x none -Wl,--no-as-needed host/libnl-route-3.so.200 -Wl,--disable-new-dtags,-rpath,"$PWD/host" <<< ''
    "$CC" -o main -x c - -x none -Wl,--no-as-needed program/libnl-route-3.so.200 -Wl,--disable-new-dtags,-rpath,"$PWD/program" <<< 'int main(void) { return 0; }'
    "$build/tools/elf-facts" --conflicts '' '' /nowhere "$PWD/host/libhost.so" main > said
    cat said
    [[ $(< said) == "preload"$'\t'"$PWD/host/libnl-route-3.so.200"$'\t'"libnl-route-3.so.200: there can be one in a process"* ]]
}

# told_before HOST_FILE: by explain, as text and as JSON.
told_before() {
    needed_by_host libhwloc.so.15 || return 0
    stub libhwloc.so.15
    brings libhwloc.so.15 "${by_rpath[@]}"
    run -0 "$command" explain ./program
    [[ $output == *"both bring libhwloc.so.15: the host's MPI gets $(library_of libhwloc.so.15), the program has $PWD/lib/libhwloc.so.15"* ]]
    run -0 "$command" explain --json ./program
    [[ $output == *'"conflicts": ["libhwloc.so.15: the host'*"$PWD/lib/libhwloc.so.15"* ]]
    app_program program "$top/tests/trees/program.c"
    run -0 "$command" explain ./program
    [[ $output != *"both bring"* ]]
}

@test "explain tells of libraries that both bring" {
    PAIRS=${two%%[[:space:]]*} for_each_pair told_before
}

# The system's own files, in another folder: two copies in one process, with all that they need.
real_copies() {
    local name closure
    mkdir lib
    closure=$("$build/tools/elf-facts" --closure '' '' "$(host_library)" | grep -E '^lib(hwloc|pmix|event|ucp|ucs|uct|ucm|fabric|pciaccess|ltdl|z|xml2)' | cut -f 2)
    [ -n "$closure" ] || return 0
    for name in $closure $(library_of libpmix.so.2) $(library_of libevent_core-2.1.so.7); do
        cp "$(readlink -f "$name")" "lib/${name##*/}"
    done
    app_program program "$top/tests/trees/program.c" -Wl,--no-as-needed lib/*.so.* "${by_rpath[@]}"
    runs_right
    [ "$(MPI_ADAPTER_VERBOSE=1 adapted ./program 2>&1 | grep -c "the host's MPI has .*, and the program $PWD/lib/")" -gt 0 ]
}

@test "the program's copies of all that the host's MPI needs are other libraries than the host's" {
    PAIRS=$two for_each_pair real_copies
}
