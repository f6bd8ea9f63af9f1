#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# What starting costs is local work: from exec to the end of MPI_Init the adapter asks the file system for nothing that the
# native program does not ask for, but its own library and how its host is described, and executes few instructions.

load ../pair.bash

setup() {
    cd "$BATS_TEST_TMPDIR"
}

# count native|adapted|added WHAT: of what bench/start printed.
count() {
    local -A column=([native]=1 [adapted]=2 [added]=3)
    sed -n "s/^$2\t//p" counts | cut -f"${column[$1]}"
}

# at_most NUMBER WHAT: so much more than natively.
at_most() {
    local native adapted
    native=$(count native "$2") adapted=$(count adapted "$2")
    [ "$adapted" -le $((native + $1)) ] || { echo "$2: $native natively, but $adapted"; return 1; }
}

asks_for_little() {
    "$top/bench/start" files "$pair" > counts
    cat counts
    # No file tells what is in memory: no map of it is read, and no library's file.
    at_most 0 maps
    at_most 0 'libraries again'
    at_most 0 'other libraries'
    # The dynamic linker reads its cache once more, as the host is loaded after the program has been.
    at_most 1 ld.so.cache
    # LD_LIBRARY_PATH leads the dynamic linker to the adapter's folder for each library, once.
    [ "$(count adapted 'of these once more')" -eq 0 ]
    # Whether a pair's description lies beside the host.
    at_most 1 'other names'
}

@test "from exec to the end of MPI_Init, the adapter reads no file but its own library" {
    command -v strace > /dev/null || skip "no strace"
    for_each_pair asks_for_little
}

# What the adapter executed when its documentation was written, and a tenth more.
ceiling() {
    case $pair in
        openmpi-to-mpich) echo 3300000 ;;
        mpich-to-openmpi) echo 8000000 ;;
    esac
}

executes_little() {
    local added
    "$top/bench/start" instructions "$pair" > counts
    cat counts
    added=$(count added instructions)
    [ "$added" -lt "$(ceiling)" ]
}

@test "until then it executes as few instructions as it is said to" {
    command -v valgrind > /dev/null || skip "no valgrind"
    [ "$(uname -m) $(release_here openmpi) $(release_here mpich)" = "x86_64 4.1.4 4.0.2" ] || skip "known of other releases"
    PAIRS=${PAIRS:-$(native_pairs)} for_each_pair executes_little
}
