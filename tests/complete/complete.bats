# SPDX-License-Identifier: BSD-3-Clause
#
# Every function that a pair's libraries export is called with valid arguments, and leaves what it leaves natively, or
# another test calls it. A procedure of the table without a test is a complaint.

setup_file() {
    . "$BATS_TEST_DIRNAME/../families.bash"
    [ "$(release_here openmpi) $(release_here mpich)" = '4.1.4 4.0.2' ] || skip "exceptions.tsv is about Open MPI 4.1.4 and MPICH 4.0.2"
    : "${BUILD:=$BATS_TEST_DIRNAME/../../build}"
    export BUILD results=$BUILD/tests/complete
    "$BATS_TEST_DIRNAME/run.sh" openmpi mpich
}

judge() {
    "$BATS_TEST_DIRNAME/run.sh" "$1"
    "${PYTHON:-python3}" -B "$BATS_TEST_DIRNAME/judge.py" "$1" "$results" openmpi mpich
}

@test "every function of an Open MPI program's libraries does on MPICH what it does natively" {
    judge openmpi-to-mpich
}

@test "every function of an MPICH program's libraries does on Open MPI what it does natively" {
    judge mpich-to-openmpi
}

@test "every function of the standard ABI's library does on MPICH what it does natively" {
    judge mpiabi-to-mpich
}

@test "every function of the standard ABI's library does on Open MPI what it does natively" {
    judge mpiabi-to-openmpi
}

@test "a function that no test calls is complained of, and so is one that does what no MPI does" {
    work=$BATS_TEST_TMPDIR
    cp "$results"/{openmpi,mpich,mpiabi-to-mpich,mpiabi-to-mpich.list} "$work"
    echo "libmpi_abi.so.1 MPI_Send_more MPI_Send_more c 0000000000001000" >> "$work/mpiabi-to-mpich.list"
    sed -i 's/\(MPI_Comm_size\tc\tMPI_SUCCESS\tsize\)=1/\1=2/' "$work/mpiabi-to-mpich"
    run "${PYTHON:-python3}" -B "$BATS_TEST_DIRNAME/judge.py" mpiabi-to-mpich "$work" openmpi mpich
    [ "$status" -ne 0 ]
    [[ $output == *"MPI_Send_more of libmpi_abi.so.1"*"no test calls it"* ]]
    [[ $output == *"leaves 2 in size; natively 1"* ]]
}

@test "the page of what was tried is made from the stored results" {
    "${PYTHON:-python3}" -B "$BATS_TEST_DIRNAME/record.py" check
}
