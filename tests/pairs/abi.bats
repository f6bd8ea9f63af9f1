#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# What a program is told of its ABI and of Fortran.

load ../standard-abi

setup() {
    cd "$BATS_TEST_TMPDIR"
}

# told VERSION FOLDERS: what abi.c finds.
told() {
    [ "$(on "$2" 1 ./abi)" = "$1" ]
}

@test "a program of the standard ABI is told its version, sizes, and what is known of the host's Fortran" {
    abi_program abi "$here/abi.c"
    for pair in $(pairs_of 1); do
        told 1.0 "$pair"
    done
}

@test "a program of another ABI is told so, and what a host of the standard ABI says" {
    for application in openmpi mpich; do
        "$CC" -I "$build/include/$application" -o abi "$here/abi.c" \
            -L "$pairs/$application-to-mpiabi" -l:"$(soname "$application")"
        for inner in $(pairs_of 1 | grep -v -- "-to-$application$"); do
            told -1.-1 "$application-to-mpiabi $inner"
        done
    done
}
