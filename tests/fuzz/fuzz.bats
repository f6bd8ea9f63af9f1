#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# The short form of `make fuzz`: each reader of what comes from outside is given the seeds, what was once found, and some
# thousand changed ones, the same in every run, under AddressSanitizer and UndefinedBehaviorSanitizer.

setup_file() {
    export ASAN_OPTIONS=detect_leaks=1 UBSAN_OPTIONS=print_stacktrace=1
    "$BATS_TEST_DIRNAME/fuzz" driver "$BATS_FILE_TMPDIR"
}

setup() {
    here=$BATS_TEST_DIRNAME
    build=${BUILD:-$here/../../build}
}

# gives TARGET RUNS FOLDER: its files, and so many changed ones.
gives() {
    "$BATS_FILE_TMPDIR/$1" "$2" "$3"/* > "$BATS_TEST_TMPDIR/said" 2>&1 || { grep -m1 -A20 'ERROR\|error' "$BATS_TEST_TMPDIR/said"; return 1; }
}

# reads TARGET RUNS: the seeds of its kind; and what is damaged in an ELF file's headers, if it reads such.
reads() {
    local seeds=$BATS_FILE_TMPDIR/seeds kind
    kind=$("$here/fuzz" seeds "$1")
    gives "$1" "$2" "$seeds/$kind"
    case $kind in elf | explain) gives "$1" 0 "$seeds/damaged" ;; esac
}

# damaged WHAT RUNS
damaged() {
    "$here/texts.py" "$1" --command "$build/bin/mpi-adapter" --runs "$2"
}

@test "every target has a test" {
    local target
    [ "$("$here/fuzz" list | wc -l)" -ge 10 ]
    for target in $("$here/fuzz" list); do
        grep -qE "^    (reads|damaged) $target [0-9]+$" "$BATS_TEST_FILENAME"
    done
}

@test "gotswap reads files" {
    reads gotswap-file 10000
}

@test "gotswap reads memory" {
    reads gotswap-memory 10000
}

@test "gotswap reads maps" {
    reads gotswap-maps 10000
}

@test "elf-facts reads programs and libraries" {
    reads elf-facts 4000
}

@test "explain reads programs, libraries and lists of procedures" {
    reads explain 4000
}

@test "the reader of ld.so.cache" {
    reads loader-cache 10000
}

@test "the adapter reads what a file needs" {
    reads needed 10000
}

@test "the command reads what is linked into programs" {
    reads inside 4000
}

@test "launch lines are read and written" {
    reads launch-line 3000
}

@test "the command reads what scripts import" {
    reads imports 10000
}

@test "the command reads settings and descriptions of pairs" {
    damaged settings 150
}

@test "the command reads what images and launchers write" {
    damaged answers 16
}

@test "the command looks at MPI libraries" {
    damaged hosts 12
}

@test "the command looks at scripts and programs" {
    damaged programs 40
}

@test "the generator reads tables and templates" {
    damaged tables 400
}

@test "a message of another form is found in what is damaged, and kept" {
    cd "$BATS_TEST_TMPDIR"
    printf '#!/bin/sh\necho not a line of ours >&2\n' > mpi-adapter
    chmod +x mpi-adapter
    mkdir found
    run "$here/texts.py" settings --command "$PWD/mpi-adapter" --found found --runs 1
    [ "$status" -eq 1 ]
    [ -s found/settings-0 ]
}
