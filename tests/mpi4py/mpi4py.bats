#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# Every test that python3-mpi4py, built for Open MPI, passes on Open MPI passes
# on other MPIs through the adapter too, and through one adapter that is the host
# of another.  MPI4PY_RANKS lists the numbers of ranks.

setup() {
    here=$(cd "$(dirname "$BATS_TEST_FILENAME")" && pwd)
    . "$here/../families.bash"
    : "${MPI4PY_RANKS:=2}" "${MPICH_CC:=mpicc.mpich}" "${MPICH_EXEC:=mpiexec.mpich}"
    native=openmpi lists=$BATS_FILE_TMPDIR
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
        [ "$(family_of "$mode")" = "$native" ] && is_wanted "$mode" && is_native "$(host_of "$mode")" || continue
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
        [ "$(family_of "$mode")" = "$native" ] && is_wanted "$mode" && is_native "$(host_of "$mode")" || continue
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
    printf '%s\n' "openmpi|test_comm.Info.test_maxlen|$release|fails|so it was" "openmpi|test_comm.No.test|$release|fails|so it was" \
        "openmpi|test_comm.Info.*|$release|hangs|so it is" | tr '|' '\t' > "$tests/mpi4py/known-faults.tsv"
    run "$tests/mpi4py/run" --known -n 1
    echo "$output"
    [ "$status" -eq 1 ]
    [[ $output == *"FAIL openmpi test_comm.Info.test_maxlen passes; "* ]]
    [[ $output == *"FAIL openmpi test_comm.No.test is listed, and run nowhere; "* ]]
    [[ $output == *"not run openmpi test_comm.Info.* (hangs)"* ]]
}

@test "a crash fails its test and the others still run" {
    run "$here/run" --mode "$native" -n 1 selftest.Runner
    [ "$status" -eq 1 ]
    [[ "$output" == *"FAIL selftest.Runner.test_crash"* ]]
    [[ "$output" == *"FAIL selftest.Runner.test_fail"* ]]
    [[ "${lines[-1]}" == "mpi4py: 1 passed, 2 failed, 1 skipped" ]]
}

@test "the host shows the faults that known-faults.tsv names" {
    local tried=0
    "$MPICH_CC" -o "$BATS_TEST_TMPDIR/faults" "$here/host-faults.c"
    while read -r releases name; do
        "$here/../releases/faults.py" holds "$releases" "$(release_here mpich)" || continue
        tried=$((tried + 1))
        # The host's transport may print warnings of its own.
        timeout 60 "$MPICH_EXEC" -n 2 "$BATS_TEST_TMPDIR/faults" "$name" < /dev/null >"$BATS_TEST_TMPDIR/shown" 2>&1 || true
        grep -qx "$name" "$BATS_TEST_TMPDIR/shown" || { echo "$name is not shown"; false; }
    done < <(sed -n 's/^mpich\t[^\t]*\t\([^\t]*\)\t.*host-faults\.c: \([a-z0-9-]*\)).*/\1 \2/p' "$here/known-faults.tsv" | sort -u)
    [ "$tried" -gt 0 ] || skip "known-faults.tsv lists none of host-faults.c for this MPICH"
}
