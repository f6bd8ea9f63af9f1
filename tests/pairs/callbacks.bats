#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# Callbacks of programs for an application's MPI on another host's, where the process may not map or open what it likes.

load ../pair

setup() {
    cd "$BATS_TEST_TMPDIR"
}

# prepare: the program, whose 8000 functions take a compiler long, and in `copy` the pair's folder, whose library may be changed.
prepare() {
    local many=$BATS_FILE_TMPDIR/many.$application
    [ -x "$many" ] || app_program "$many" -O0 -g0 -w "$here/many.c" -l:"$fortran"
    ln -s "$many" many
    copy=$PWD/copy
    cp -a "$folder" "$copy"
}

# many_callbacks HOW [few]: prints what the adapter wrote to stderr; hosts have words of their own. Runs without a launcher, which would miss MPI_Finalize.
many_callbacks() {
    LD_LIBRARY_PATH=$copy timeout 120 ./many "$@" 2> stderr > stdout || { cat stderr; return 1; }
    [ "$(< stdout)" = right ]
    sed -n '/^mpi-adapter: /p' stderr
}

many_without() {
    local how
    prepare
    for how in none closed memfd; do
        [ -z "$(many_callbacks $how)" ]
    done
}

@test "8000 callbacks: without descriptors, without memory files" {
    PAIRS=${PAIRS:-$(native_pairs)} for_each_pair many_without
}

few_and_many() {
    local size library
    prepare
    library=$copy/$soname
    one_line "$(many_callbacks mapping few)"
    one_line "$(COMMAND="rm $library" many_callbacks run few)"
    for size in 1 4194304; do
        cp "$adapter" "$library"
        one_line "$(COMMAND="rm $library; head -c $size /dev/zero > $library" many_callbacks run few)"
    done
    # The same library by another name, or in the place of the one that is loaded, serves.
    cp "$adapter" "$library"
    [ -z "$(COMMAND="mv $library moved" many_callbacks run)" ]
    cp "$adapter" "$library"
    [ -z "$(COMMAND="rm $library; cp $adapter $library" many_callbacks run)" ]
}

@test "where the library cannot be mapped again, what needs a 4097th callback fails" {
    PAIRS=${PAIRS:-$(native_pairs)} for_each_pair few_and_many
}

# With the tables' header, as programs of MPI-4 are compiled for any release.
nested() {
    "$CC" -std=gnu11 -g -Wall -I"$build/include/$application" -o nested "$here/nested.c" -L"$folder" -l:"$soname"
    # Open MPI 5 and 6 themselves end a process that has partitions for a rank that is none.
    local with=(partitions)
    ! host_has MPI_Psend_init || with=()
    [ "$(on_ranks 1 ./nested callbacks "${with[@]}")" = right ]
    # A message of the host's own buffers is none of the tool's.
    ! host_has MPI_Comm_attach_buffer || return 0
    compile_for "$host" failing.so -shared -fPIC "$here/failing.c"
    [ "$(MPI_ADAPTER_HOST_TOOLS=$PWD/failing.so adapted ./nested failing)" = right ]
    [ "$(MPI_ADAPTER_HOST_TOOLS=$PWD/failing.so adapted ./nested ending)" = right ]
}

@test "what MPI-4 has is called within every kind of callback, and while a buffer's message fails" {
    for_each_pair nested
}
