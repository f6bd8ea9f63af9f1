# SPDX-License-Identifier: BSD-3-Clause
#
# What programs observe of errors, handlers and callbacks through a pair is what they observe on one of the native MPIs.

setup() {
    . "$BATS_TEST_DIRNAME/../families.bash"
    [ "$(release_here openmpi) $(release_here mpich)" = '4.1.4 4.0.2' ] || skip "differences.tsv is about Open MPI 4.1.4 and MPICH 4.0.2"
    : "${BUILD:=$BATS_TEST_DIRNAME/../../build}"
    export BUILD results=$BUILD/tests/conformance
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
