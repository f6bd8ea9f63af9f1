#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# A start costs only local work. From exec to the end of MPI_Init the adapter asks the file system for nothing beyond the native
# program's requests, but its own library and the description of its host. It executes few instructions.

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

# The adapter's instructions when its documentation was written, and a tenth more.
ceiling() {
    case $pair in
        openmpi-to-mpich) echo 3500000 ;;
        mpich-to-openmpi) echo 8500000 ;;
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

# A new session inspects only objects that were loaded after the first one began.
proves_once() {
    "$CC" -std=gnu11 -g -Wall -I"$build/include/$application" -o sessions "$here/sessions.c" -L"$folder" -l:"$soname" -ldl
    "$CC" -shared -fPIC -x c -o arrived.so /dev/null
    MPI_ADAPTER_VERBOSE=1 adapted ./sessions "$PWD/arrived.so" 2> said
    cat said
    [ "$(sed -nE '/^session/p; s/.* (after initialization): none of .*/\1/p' said | tr '\n' ,)" = \
        "after initialization,session 0,session 1,session 2,after initialization," ]
    # A window may have put hooks into slots of the host's: the proof knows them.
    choose_windows
    MPI_ADAPTER_VERBOSE=1 adapted ./sessions "$PWD/arrived.so" window 2> said
    cat said
    [ "$(sed -nE '/^session 2/,$s/.* (after initialization): none of .*/\1/p' said)" = "after initialization" ]
}

@test "a session that begins proves isolation again if something was loaded since, and not otherwise" {
    for_each_pair proves_once
}

# The private pages of a process when the documentation was written, and a few more, as addresses vary.
own_ceiling() {
    case $pair in
        openmpi-to-mpich) echo 20 ;;
        mpich-to-openmpi) echo 46 ;;
    esac
}

# The kernel brings in 64 KiB around each page that is touched: most of the file, which all ranks share.
takes_little_memory() {
    local shared own
    app_program pages "$here/pages.c"
    adapted ./pages "$adapter" > counts
    cat counts
    shared=$(sed -n 's/^shared\t//p' counts) own=$(sed -n 's/^own\t//p' counts)
    [ "$shared" -le 320 ]
    [ "$own" -le "$(own_ceiling)" ]
}

@test "at the end of MPI_Init few pages of the adapter are in memory" {
    [ "$(uname -m) $(release_here openmpi) $(release_here mpich)" = "x86_64 4.1.4 4.0.2" ] || skip "known of other releases"
    PAIRS=${PAIRS:-$(native_pairs)} for_each_pair takes_little_memory
}

# As Python does: a library that is loaded, MPI's by its name, and by a path that leads to the adapter. Natively it costs 1400 to 3000
# instructions.
opens_again() {
    local path
    path=$("$CC" -print-file-name="$soname")
    app_program reopens "$here/reopens.c" -ldl
    for library in libc.so.6 "$soname" "$path"; do
        adapted valgrind --tool=callgrind --toggle-collect=reopen --callgrind-out-file=counts ./reopens "$library" > said 2>&1 || { cat said; return 1; }
        each=$(($(sed -n 's/^totals: //p' counts) / 100))
        echo "$library: $each instructions"
        [ "$each" -gt 100 ]
        [ "$each" -lt 5000 ]
    done
}

@test "a library that is loaded is opened again in few instructions" {
    command -v valgrind > /dev/null || skip "no valgrind"
    PAIRS=${PAIRS:-$(native_pairs)} for_each_pair opens_again
}
