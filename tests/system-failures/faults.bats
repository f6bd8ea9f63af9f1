#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# A program in trouble prints adapted what it prints natively, and ends alike. Missing parts of libraries and damaged ones are
# tested by tests/processes/linked.bats, deaths and signals by tests/pairs/report.bats, small stacks by threads.bats there, and
# callbacks that find no descriptors or mappings by callbacks.bats.

load ../pair

setup() {
    cd "$BATS_TEST_TMPDIR"
    choose_windows
}

compile_both() {
    app_program adapted -w "$here/faults.c" -ldl
    host_program natively -w "$here/faults.c" -ldl
}

# Lines that a host writes to its log begin so: UCX has its on stdout.
own_lines() { sed '/^\[/d' "$1"; }

# Compares the outputs of both, command by command.
compare() {
    diff <(own_lines native.out) <(own_lines ours.out) && return
    echo "natively, and adapted:"
    head -n 20 native.err ours.err
    return 1
}

# singly HOW [ARGUMENT]: one process; the words of BEFORE stand ahead of it.
singly() {
    local status=0
    rm -f limited.dat
    # shellcheck disable=SC2086  # a list of words
    timeout 120 ${BEFORE-} ./natively "$@" > native.out 2> native.err || status=$?
    echo "status $status" >> native.out
    rm -f limited.dat
    status=0
    # shellcheck disable=SC2086
    timeout 120 ${BEFORE-} env LD_LIBRARY_PATH="$folder" ./adapted "$@" > ours.out 2> ours.err || status=$?
    echo "status $status" >> ours.out
    compare "$*"
}

# ends_well: the last one did, so that it tells something of what came before.
ends_well() { grep -qx 'ended well' native.out && grep -qx 'status 0' native.out; }

# ends_well_or_natively_not WHERE: what the host cannot do there is its own.
ends_well_or_natively_not() { ends_well || echo "# left out $pair: $1 the host ends natively" >&3; }

for_native_pairs() {
    PAIRS=${PAIRS:-$(native_pairs)} for_each_pair "$@"
}

writing() {
    compile_both
    singly full /dev/full
    ends_well
    singly limited limited.dat
    grep -qx 'lost: no' ours.out
}

@test "files that find no room: the error class, and nothing is lost that was reported written" {
    for_native_pairs writing
}

loading() {
    compile_both
    echo 'extern int nobody_has(void); int f(void) { return nobody_has(); }' | "$CC" -shared -fPIC -x c -o broken.so -
    singly plugin ./broken.so
    grep -q '^error: .*nobody_has' ours.out
    echo 'no library' > text.so
    singly plugin ./text.so
    singly plugin ./absent.so
    ends_well
}

@test "plugins that fail to load: what dlerror() says, once" {
    for_native_pairs loading
}

starting() {
    compile_both
    singly forks
    ends_well
    [ "$(grep -cx 'calls: ends with 5' ours.out)" -eq 3 ]
    singly exec-before
    singly exec-after
    ends_well
}

@test "children by fork, and programs by exec, before, between and after" {
    for_native_pairs starting
}

denied() {
    compile_both
    singly seccomp
    ends_well_or_natively_not "without executable memory"
    singly descriptors
    singly memory
    ends_well
    singly exhausted
}

@test "no executable memory, no descriptors, no memory" {
    for_native_pairs denied
}

# Open MPI takes long for more.
many() {
    compile_both
    case $host in mpich) singly many 100000 ;; *) singly many 10000 ;; esac
    ends_well
    singly recursion
    ends_well
}

@test "operations and keyvals by the ten thousands, and MPI within every kind of callback" {
    for_native_pairs many
}

without_proc() {
    compile_both
    unshare -m true 2> /dev/null || skip "no namespaces for mounts"
    BEFORE="unshare -m $PWD/hide" singly recursion
    ends_well_or_natively_not "without /proc"
}

@test "no /proc" {
    mkdir -p "$BATS_TEST_TMPDIR"
    printf '#!/bin/sh\nmount -t tmpfs none /proc && exec "$@"\n' > hide
    chmod +x hide
    hiding() { cp ../hide . && without_proc; }
    for_native_pairs hiding
}

# on_two RUNS HOW [ARGUMENT]: two ranks, whose launcher's words are its own. How it ends is at times a matter of which death
# it sees first (MPICH 4.2's says 0 after a fifth of the deaths): natively it may take several runs to end so, too.
on_two() {
    local status=0 tries runs=$1
    shift
    on_ranks 2 ./adapted "$@" > ours.out 2> ours.err || status=$?
    echo "status $status" > ours.out
    for ((tries = 0; tries < runs; tries++)); do
        status=0
        natively 2 ./natively "$@" > native.out 2> native.err || status=$?
        echo "status $status" > native.out
        ! cmp -s native.out ours.out || return 0
    done
    compare "$*"
}

aborts() {
    on_two 1 aborts 3 && grep -qx 'status 3' ours.out
}

ending() {
    compile_both
    on_two 40 killed
    # Of those that were tried, only that launcher does so.
    [[ $host-$(. "$here/../families.bash" && release_here "$host") == mpich-4.2.* ]] || run ! grep -x 'status 0' ours.out
    # The launcher of MPICH loses the code now and then, natively, too.
    aborts || aborts || aborts
    on_two 1 aborts 77 || on_two 1 aborts 77 || on_two 1 aborts 77
}

@test "a rank that is killed in the middle, and MPI_Abort on another rank than the first, with its code" {
    for_native_pairs ending
}
