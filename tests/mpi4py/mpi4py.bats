#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# Every test that python3-mpi4py, built for Open MPI, passes on Open MPI passes
# on MPICH through the adapter too.  MPI4PY_RANKS lists the numbers of ranks.

setup() {
    here=$(cd "$(dirname "$BATS_TEST_FILENAME")" && pwd)
    : "${MPI4PY_RANKS:=2}" "${MPICH_CC:=mpicc.mpich}" "${MPICH_EXEC:=mpiexec.mpich}"
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
    mapfile -t failed < <(awk -F '\t' '$1 == "fail" { print $2 }' "$BATS_TEST_TMPDIR/native")
    echo "# $1 ranks, native, run again: ${failed[*]}" >&3
    [ ${#failed[@]} -gt 0 ] && "$here/run" --mode native -n "$1" "${failed[@]}" && return
    cat "$BATS_TEST_TMPDIR/native.out"
    return 1
}

@test "what passes on Open MPI passes on MPICH through the adapter" {
    for ranks in $MPI4PY_RANKS; do
        "$here/run" --mode native -n "$ranks" --list "$BATS_TEST_TMPDIR/native" \
            >"$BATS_TEST_TMPDIR/native.out" 2>&1 || rerun "$ranks"
        "$here/run" --mode adapted -n "$ranks" --list "$BATS_TEST_TMPDIR/adapted" \
            >"$BATS_TEST_TMPDIR/adapted.out" 2>&1 || { cat "$BATS_TEST_TMPDIR/adapted.out"; false; }
        echo "# $ranks ranks, native:  $(tail -n 1 "$BATS_TEST_TMPDIR/native.out")" >&3
        echo "# $ranks ranks, adapted: $(tail -n 1 "$BATS_TEST_TMPDIR/adapted.out")" >&3
        missing=$(lost "$BATS_TEST_TMPDIR/native" "$BATS_TEST_TMPDIR/adapted")
        [ -z "$missing" ] || { echo "$missing"; false; }
    done
}

@test "a crash fails its test and the others still run" {
    run "$here/run" --mode native -n 1 selftest.Runner
    [ "$status" -eq 1 ]
    [[ "$output" == *"FAIL selftest.Runner.test_crash"* ]]
    [[ "$output" == *"FAIL selftest.Runner.test_fail"* ]]
    [[ "${lines[-1]}" == "mpi4py: 1 passed, 2 failed, 1 skipped" ]]
}

@test "the host shows the faults that known-faults.tsv names" {
    "$MPICH_CC" -o "$BATS_TEST_TMPDIR/faults" "$here/host-faults.c"
    for name in $(sed -n 's/^mpich.*host-faults\.c: \([a-z0-9-]*\)).*/\1/p' "$here/known-faults.tsv" | sort -u); do
        # The host's transport may print warnings of its own.
        timeout 60 "$MPICH_EXEC" -n 2 "$BATS_TEST_TMPDIR/faults" "$name" >"$BATS_TEST_TMPDIR/shown" 2>&1 || true
        grep -qx "$name" "$BATS_TEST_TMPDIR/shown" || { echo "$name is not shown"; false; }
    done
}
