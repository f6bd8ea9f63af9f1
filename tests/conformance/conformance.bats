# SPDX-License-Identifier: BSD-3-Clause
#
# What programs observe through a pair is what they observe on one of the native MPIs.

setup() {
    . "$BATS_TEST_DIRNAME/../families.bash"
    [ "$(release_here openmpi) $(release_here mpich)" = '4.1.4 4.0.2' ] || skip "differences.tsv is about Open MPI 4.1.4 and MPICH 4.0.2"
    : "${BUILD:=$BATS_TEST_DIRNAME/../../build}"
    export BUILD results=$BUILD/tests/conformance PROGRAMS=
}

compare() { "${PYTHON:-python3}" -B "$BATS_TEST_DIRNAME/compare.py" "$@" openmpi mpich; }

@test "programs observe the same through a pair as on one of the native MPIs" {
    "$BATS_TEST_DIRNAME/run.sh" openmpi mpich openmpi-to-mpich mpich-to-openmpi mpiabi-to-mpich mpiabi-to-openmpi
    for pair in openmpi-to-mpich mpich-to-openmpi mpiabi-to-mpich mpiabi-to-openmpi; do
        compare "$pair" "$results"
    done
}

@test "what a program observes on no native MPI is complained of, and what it does not observe any more" {
    cp -r "$results"/{openmpi,mpich,mpich-to-openmpi} "$BATS_TEST_TMPDIR"
    sed -i 's/comm duplicate: MPI_ERR_TAG/comm WORLD: MPI_ERR_TAG/; /^file_close\t/d' "$BATS_TEST_TMPDIR/mpich-to-openmpi/errors"
    run compare mpich-to-openmpi "$BATS_TEST_TMPDIR"
    [ "$status" -ne 0 ]
    [[ $output == *"send with a negative tag: MPI_ERR_TAG comm WORLD: MPI_ERR_TAG; natively MPI_ERR_TAG comm duplicate: MPI_ERR_TAG (openmpi)"* ]]
    [[ $output == *"file_close: is not printed; natively MPI_SUCCESS null (openmpi)"* ]]
}

@test "two lines with one label are complained of, and a known difference that is another by now" {
    mkdir "$BATS_TEST_TMPDIR/tests"
    cp "$BATS_TEST_DIRNAME/compare.py" "$BATS_TEST_TMPDIR/tests"
    printf 'a-to-b\tprogram\tcall\thost\ta reason\tMPI_ERR_ARG*\n' > "$BATS_TEST_TMPDIR/tests/differences.tsv"
    mkdir "$BATS_TEST_TMPDIR"/{a,b,a-to-b}
    printf 'call\tMPI_SUCCESS\n' | tee "$BATS_TEST_TMPDIR/a/program" > "$BATS_TEST_TMPDIR/b/program"
    judge() { "${PYTHON:-python3}" -B "$BATS_TEST_TMPDIR/tests/compare.py" a-to-b "$BATS_TEST_TMPDIR" a b; }
    printf 'call\tMPI_ERR_ARG null\n' > "$BATS_TEST_TMPDIR/a-to-b/program"
    judge
    printf 'call\tMPI_ERR_OTHER null\n' > "$BATS_TEST_TMPDIR/a-to-b/program"
    run judge
    [ "$status" -ne 0 ]
    [[ $output == *"call: MPI_ERR_OTHER null; natively MPI_SUCCESS (a)"* ]]
    printf 'call\tMPI_SUCCESS\ncall\tMPI_SUCCESS\n' > "$BATS_TEST_TMPDIR/a-to-b/program"
    run judge
    [ "$status" -ne 0 ]
    [[ $output == *"two lines are labelled 'call'"* ]]
}
