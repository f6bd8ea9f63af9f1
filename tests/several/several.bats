#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# Parts of a process that were compiled for different MPIs: a program of one, and a library of the other. Each calls its own MPI, on
# one host, of which one of them is native; and they tell each other of objects by integers. part.c says what is tried.

load ../pair

setup() {
    cd "$BATS_TEST_TMPDIR"
    choose_windows
}

# compile_parts PROGRAM LIBRARY: a program of the first family that is linked with a library of the second one, and one that opens it.
compile_parts() {
    compile_for "$2" library.so -shared -fPIC -DPART=library_part "$here/part.c"
    compile_for "$1" linked -DLINKED -DPART=program_part "$here/program.c" "$here/part.c" ./library.so -Wl,-rpath,"$PWD" -Wl,--allow-shlib-undefined
    compile_for "$1" opens -DPART=program_part "$here/program.c" "$here/part.c" -ldl
}

# in_both FUNCTION: with the program compiled for the application's MPI, and the library for the host's; and the other way round.
in_both() {
    local program folders=$PWD
    for program in "$application" "$host"; do
        echo "a program of $program:"
        mkdir "$folders/$program"
        cd "$folders/$program" || return
        compile_parts "$program" "$([ "$program" = "$host" ] && echo "$application" || echo "$host")"
        "$@"
        cd "$folders" || return
    done
}

# is_right COMMAND...: prints what is wrong.
is_right() {
    local output
    output=$("$@" 2>&1) || { echo "$*: status $?"$'\n'"$output"; return 1; }
    [ "$output" = right ] || { echo "$*: $output"; return 1; }
}

begun_and_ended() {
    local begins ends
    for begins in 0 1; do
        for ends in 0 1; do
            is_right adapted ./linked "$begins" "$ends" || return
        done
    done
}

opened() {
    local when scope
    for when in early late; do
        for scope in local global; do
            is_right adapted ./opens 0 1 ./library.so "$when" "$scope" || return
        done
    done
}

@test "a program and a library that it is linked with, whichever begins MPI, and whichever ends it" {
    PAIRS=${PAIRS:-$(native_pairs)} for_each_pair in_both begun_and_ended
}

@test "a program opens a library before MPI begins and after, in a scope of its own or for all" {
    PAIRS=${PAIRS:-$(native_pairs)} for_each_pair in_both opened
}

standard() {
    is_right adapted ./linked 0 1 && is_right adapted ./opens 0 0 ./library.so late local
}

@test "the same with a part that is compiled for the standard ABI" {
    PAIRS=${PAIRS:-$(comm -23 <(hosted_pairs | sort) <(native_pairs | sort))} for_each_pair in_both standard
}

on_two_ranks() {
    [ "$(on_ranks 2 ./linked 0 0 2> messages | sort | uniq -c | tr -s ' ')" = ' 2 right' ] || { cat messages; return 1; }
}

@test "two ranks" {
    PAIRS=${PAIRS:-$(native_pairs)} for_each_pair in_both on_two_ranks
}

# A name that the host's library has, and the pair has not.
name_of_host() {
    local library
    library=$(MPI_ADAPTER_VERBOSE=1 adapted ./plain 2>&1 | sed -n "s/^mpi-adapter: process [0-9]*: a program for .* on $host: \(.*\) (MPI .*/\1/p")
    comm -23 <(nm -D --defined-only "$library" | awk '$2 == "T" && $3 ~ /^MPI/ { print $3 }' | sort) \
        <(nm -D --defined-only "$adapter" | awk '{ print $3 }' | sort) | sed -n 1p
}

a_name_of_the_hosts() {
    local name
    printf '#include <mpi.h>\nint main(void) { return MPI_Init(0, 0) + MPI_Finalize(); }\n' > plain.c
    app_program plain plain.c
    name=$(name_of_host)
    [ -n "$name" ] || return 0
    printf '#include <mpi.h>\nint %s(void);\nint ask(void);\nint ask(void) { return %s() + MPI_Finalize(); }\n' "$name" "$name" > asks.c
    compile_for "$application" asks.so -shared -fPIC asks.c
    printf '#include <mpi.h>\nint ask(void);\nint main(void) { MPI_Init(0, 0); return ask(); }\n' > program.c
    compile_for "$host" program program.c ./asks.so -Wl,-rpath,"$PWD" -Wl,--allow-shlib-undefined
    run --separate-stderr adapted ./program
    [ "$status" -eq 1 ]
    one_line "$stderr"
    [[ $stderr == *"asks.so was compiled for $application and would call $name of "*", for which the pair has nothing; compile it for $host" ]]
}

@test "a library that calls what the host's MPI has, and its own has not, is refused" {
    PAIRS=${PAIRS:-$(native_pairs)} for_each_pair a_name_of_the_hosts
}
