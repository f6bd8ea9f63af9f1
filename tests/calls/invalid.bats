# SPDX-License-Identifier: BSD-3-Clause
#
# Every procedure, every argument bad in turn, each call in a child: where both native MPIs come back, so
# does the adapter. Calls take turns over the standard ABI, unless MODES are given. SWEEP_TIMES=2 makes each call twice.

# The outcomes of the calls, and the reasons for differences, are those of two releases.
run_sweep() {
    . "$BATS_TEST_DIRNAME/../families.bash"
    [ "$1" = natives ] || need_mode "$2"
    [ "$(release_here openmpi) $(release_here mpich)" = '4.1.4 4.0.2' ] || skip "differences.tsv is about Open MPI 4.1.4 and MPICH 4.0.2"
    [ "$1" != adapted ] || [ -n "${MODES-}" ] || set -- by-turns "${@:2}"
    "$BATS_TEST_DIRNAME/invalid/run.sh" "$@"
}

@test "what differs is complained of, and a reason that nothing needs" {
    "${PYTHON:-python3}" -B "$BATS_TEST_DIRNAME/invalid/test_compare.py"
}

@test "calls with bad arguments end somehow on both native MPIs" {
    run_sweep natives "${SWEEP_TIMES:-1}"
}

@test "an Open MPI program's bad arguments end no call on MPICH that both MPIs come back from" {
    run_sweep adapted openmpi-to-mpich "${SWEEP_TIMES:-1}"
}

@test "an MPICH program's bad arguments end no call on Open MPI that both MPIs come back from" {
    run_sweep adapted mpich-to-openmpi "${SWEEP_TIMES:-1}"
}

@test "a program of the standard ABI's bad arguments end no call on MPICH that both MPIs come back from" {
    run_sweep adapted mpiabi-to-mpich "${SWEEP_TIMES:-1}"
}

@test "a program of the standard ABI's bad arguments end no call on Open MPI that both MPIs come back from" {
    run_sweep adapted mpiabi-to-openmpi "${SWEEP_TIMES:-1}"
}

# bats test_tags=long
@test "an Open MPI program's bad arguments end no call on a host of the standard ABI" {
    run_sweep adapted openmpi-to-mpiabi-to-mpich "${SWEEP_TIMES:-1}"
}

# bats test_tags=long
@test "an MPICH program's bad arguments end no call on a host of the standard ABI" {
    run_sweep adapted mpich-to-mpiabi-to-openmpi "${SWEEP_TIMES:-1}"
}

@test "where a program's own MPI answers before MPI_Init and after MPI_Finalize, so does the adapter" {
    . "$BATS_TEST_DIRNAME/../families.bash"
    local mode modes=()
    for mode in openmpi-to-mpich mpich-to-openmpi mpiabi-to-mpich mpiabi-to-openmpi; do
        ! is_wanted "$mode" || modes+=("$mode")
    done
    [ ${#modes[@]} -gt 0 ] || skip "MODES has none of these pairs"
    run_sweep outside "${modes[@]}"
}
