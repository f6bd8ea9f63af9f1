#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# A program in Python with python3-mpi4py, built for Open MPI, prints on other MPIs through the adapter, and through one adapter that is
# the host of another, what it prints natively. With LONG=yes, each of mpi4py's own tests that passes natively passes so, too;
# MPI4PY_RANKS lists their numbers of ranks.

setup() {
    here=$(cd "$(dirname "$BATS_TEST_FILENAME")" && pwd)
    . "$here/../components.bash"
    : "${MPI4PY_RANKS:=2}" "${TEST_TIMEOUT:=120}"
    native=openmpi lists=$BATS_FILE_TMPDIR
}

# wanted MODE: whether a mode is one of mpi4py's family whose host is on this machine.
wanted() { [ "$(family_of "$1")" = "$native" ] && is_wanted "$1" && is_native "$(host_of "$1")"; }

# prints MODE: what the program prints there.
prints() {
    local settings
    mkdir -p "$BATS_TEST_TMPDIR/files"
    mapfile -t settings < <(paths_of "$1")
    # A window between two processes of one machine may take a component that refuses MPI_THREAD_MULTIPLE (choose_windows).
    MPI4PY_RC_THREAD_LEVEL=serialized MPI_TEST_DIR=$BATS_TEST_TMPDIR/files start_ranks "$(host_of "$1")" 2 "${settings[@]}" -- "${PYTHON:-/usr/bin/python3}" -B "$here/program.py"
}

@test "a program prints what it prints natively" {
    local mode compared=0
    choose_windows
    choose_messages
    yield_while_waiting
    prints "$native" > "$BATS_TEST_TMPDIR/native"
    [ "$(wc -l < "$BATS_TEST_TMPDIR/native")" -eq 13 ]
    # shellcheck disable=SC2046  # modes are words
    for mode in $(pair_modes) $(chain_modes); do
        wanted "$mode" || continue
        compared=1
        prints "$mode" > "$BATS_TEST_TMPDIR/$mode"
        diff "$BATS_TEST_TMPDIR/native" "$BATS_TEST_TMPDIR/$mode"
    done
    [ "$compared" -eq 1 ] || skip "no host on this machine"
}

# Tests that pass natively but not through the adapter; known host faults aside.
lost() {
    awk -F '\t' 'NR == FNR { if ($1 == "pass") native[$2] = 1; next }
                 $1 == "pass" || $1 == "skip" { delete native[$2] }
                 END { for (test in native) print test }' "$1" "$2" | sort
}

# Open MPI's spawning hangs now and then: what fails natively must pass when
# it is run again.
rerun() {
    local failed
    mapfile -t failed < <(awk -F '\t' '$1 == "fail" { print $2 }' "$lists/native.$1")
    echo "# $1 ranks, native, run again: ${failed[*]}" >&3
    [ ${#failed[@]} -gt 0 ] && "$here/run" --mode "$native" -n "$1" "${failed[@]}" && return
    cat "$lists/native.$1.out"
    return 1
}

# Lists the tests that pass natively on so many ranks, once for all modes.
run_natively() {
    [ ! -e "$lists/native.$1.done" ] || return 0
    "$here/run" --mode "$native" -n "$1" --list "$lists/native.$1" >"$lists/native.$1.out" 2>&1 || rerun "$1"
    echo "# $1 ranks, $native: $(tail -n 1 "$lists/native.$1.out")" >&3
    touch "$lists/native.$1.done"
}

# compare_modes MODE...: those of mpi4py's family whose host is on this machine, at each number of ranks.
compare_modes() {
    local mode ranks missing compared=0
    for mode; do
        wanted "$mode" || continue
        compared=1
        for ranks in $MPI4PY_RANKS; do
            run_natively "$ranks"
            "$here/run" --mode "$mode" -n "$ranks" --list "$lists/$mode.$ranks" >"$lists/out" 2>&1 || { cat "$lists/out"; return 1; }
            echo "# $ranks ranks, $mode: $(tail -n 1 "$lists/out")" >&3
            missing=$(lost "$lists/native.$ranks" "$lists/$mode.$ranks")
            [ -z "$missing" ] || { echo "$missing"; return 1; }
        done
    done
    [ "$compared" -eq 1 ] || skip "no host on this machine"
}

# bats test_tags=long
@test "what passes on Open MPI passes on MPICH through the adapter" {
    # shellcheck disable=SC2046  # modes are words
    compare_modes $(pair_modes)
}

# bats test_tags=long
@test "what passes on Open MPI passes through one adapter that is the host of another" {
    # shellcheck disable=SC2046
    compare_modes $(chain_modes)
}

# bats test_tags=long
@test "tests that are listed as known faults fail" {
    local mode tried=0
    for mode in "$native" $(pair_modes); do
        wanted "$mode" || continue
        tried=1
        "$here/run" --mode "$mode" --known > "$BATS_TEST_TMPDIR/out" 2>&1 || { grep '^FAIL\|^(job)' "$BATS_TEST_TMPDIR/out"; false; }
    done
    [ "$tried" -eq 1 ] || skip "no host on this machine"
}

@test "a listed test that passes, or is not there, fails" {
    local tests=$BATS_TEST_TMPDIR/tests each release
    release=$(release_here "$native")
    mkdir "$tests"
    cp -r "$here" "$tests"
    for each in components.bash families.bash exceptions.py releases; do ln -s "$here/../$each" "$tests"; done
    ln -s "$here/../../abi-tables" "$BATS_TEST_TMPDIR"
    printf '%s\n' "openmpi|test_runner.Runner.test_pass|$release|fails|so it was" "openmpi|test_runner.No.test|$release|fails|so it was" \
        "openmpi|test_runner.Runner.test_crash|$release|hangs|so it is" | tr '|' '\t' > "$tests/mpi4py/known-faults.tsv"
    SUITE=$here/selftest run "$tests/mpi4py/run" --known -n 1
    echo "$output"
    [ "$status" -eq 1 ]
    [[ $output == *"FAIL openmpi test_runner.Runner.test_pass passes; "* ]]
    [[ $output == *"FAIL openmpi test_runner.No.test is listed, and run nowhere; "* ]]
    [[ $output == *"not run openmpi test_runner.Runner.test_crash (hangs)"* ]]
}

@test "a crash fails its test and the others still run" {
    SUITE=$here/selftest run "$here/run" --mode "$native" -n 1
    [ "$status" -eq 1 ]
    [[ "$output" == *"FAIL test_runner.Runner.test_crash"* ]]
    [[ "$output" == *"FAIL test_runner.Runner.test_fail"* ]]
    [[ "${lines[-1]}" == "mpi4py: 1 passed, 2 failed, 1 skipped" ]]
}
