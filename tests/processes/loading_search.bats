#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# Which file a library of the host's gets that it opens: the one that it gets natively.

load ../pair

setup() {
    cd "$BATS_TEST_TMPDIR"
}

# library FILE WORD: a library that tells which one it is.
library() {
    mkdir -p "${1%/*}"
    "$CC" -shared -fPIC -o "$1" -x c - <<< "const char *which(void) { return \"$2\"; }"
}

# make_libraries: copies of one name in several folders. libBrokenLocale.so.1 is in the system's, and nobody loads it.
make_libraries() {
    library private/libBrokenLocale.so.1 private
    library private/libboth.so private
    library path/libboth.so path
    library path/libpath.so path
    library private/libforeign.so private
    library private/libc.so.6 private
    library private/liborigin.so private
    mkdir -p foreign
    # Of an architecture that nobody has: the dynamic linker passes over it.
    { head -c 18 private/libforeign.so; printf '\376\376'; tail -c +21 private/libforeign.so; } > foreign/libforeign.so
    cp foreign/libforeign.so foreign/libonly.so
    : > path/libempty.so
    library private/libempty.so private
}

# make_tool TAGS: with a search path of this kind.
make_tool() {
    compile_for "$host" libsecond.so -shared -fPIC -DSECOND "$here/loading_opens.c" -ldl
    compile_for "$host" "tool-$1.so" -shared -fPIC "$here/loading_opens.c" -L. -lsecond -ldl -Wl,"--$1-new-dtags" \
        -Wl,-rpath,'$ORIGIN/foreign' -Wl,-rpath,'$ORIGIN/private' -Wl,-rpath,'$ORIGIN'
}

# ORIGIN begins a path, and no name of a variable.
names() {
    echo "libBrokenLocale.so.1:libboth.so:libpath.so:libforeign.so:libonly.so:libempty.so:libc.so.6:nowhere.so:\$ORIGIN/private/liborigin.so:\${ORIGIN}/private/liborigin.so:\$ORIGIN_/liborigin.so:private/liborigin.so:$PWD/private/liborigin.so"
}

finds_what_it_finds_natively() {
    local tags
    make_libraries
    host_program native "$here/loading_start.c"
    app_program program "$here/loading_start.c"
    for tags in enable disable; do
        make_tool $tags
        OPENS=$(names) LD_LIBRARY_PATH=$PWD/path LD_PRELOAD=$PWD/tool-$tags.so timeout 60 ./native > natively
        OPENS=$(names) LD_LIBRARY_PATH=$folder:$PWD/path MPI_ADAPTER_HOST_TOOLS=$PWD/tool-$tags.so timeout 60 ./program > adapted
        diff natively adapted
        # RUNPATH comes behind LD_LIBRARY_PATH and is the object's alone; RPATH is neither.
        [ "$(grep -c ' \(lib\|\$\).*: private$' natively)" -ge 12 ]
    done
}

@test "the host's libraries find what they open where they find it natively" {
    for_each_pair finds_what_it_finds_natively
}
