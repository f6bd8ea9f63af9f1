#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# MPI is called before the adapter's constructor has loaded the host, and while it does.

load ../pair

setup() {
    cd "$BATS_TEST_TMPDIR"
}

# The library does not name MPI's, and comes after it in the list of what the program needs: its constructor runs first.
answers() {
    local fortran=()
    read -r -a fortran <<< "$(pair_facts fortran)"
    app_program library.o -fPIC -DLIBRARY ${fortran[0]+-DFORTRAN} -c "$here/before_load.c"
    "$CC" -shared -o libfirst.so library.o
    app_program program -DWITH_LIBRARY "$here/before_load.c" -Wl,--no-as-needed "$adapter" ${fortran[0]+"$folder/${fortran[0]}"} \
        -Wl,-rpath,"$PWD" -L. -lfirst -Wl,--allow-shlib-undefined
    app_program tool -DTOOL -fno-builtin "$here/before_load.c" -pthread -ldl
    local first
    [ "$(adapted ./program)" = right ]
    for first in init info text tools count fortran starts; do
        [ "$(FIRST=$first adapted ./program)" = right ] || { echo "first: $first"; return 1; }
    done
    [ "$(adapted ./tool)" = right ]
    run --separate-stderr env FIRST=much LD_LIBRARY_PATH="$folder" ./program
    [ "$status" -eq 1 ] && [ -z "$output" ] || { echo "status $status, $output, $stderr"; return 1; }
    one_line "$stderr"
}

@test "MPI answers before its library is loaded, loads it on demand, or says in a line why not" {
    for_each_pair answers
}

# The C library has no environment then.
answers_ahead() {
    app_program library.o -fPIC -DLIBRARY -c "$here/before_load.c"
    "$CC" -shared -o libfirst.so library.o -Wl,-z,initfirst
    app_program program -DWITH_LIBRARY "$here/before_load.c" -Wl,--no-as-needed "$adapter" -Wl,-rpath,"$PWD" -L. -lfirst
    [ "$(adapted ./program)" = right ]
}

@test "MPI answers a library whose constructor runs ahead of all others" {
    for_each_pair answers_ahead
}
