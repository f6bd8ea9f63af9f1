# SPDX-License-Identifier: BSD-3-Clause
# shellcheck disable=SC2086  # natives are words
#
# Every function that a pair's libraries export is called with valid arguments, and leaves what it leaves natively, or
# another test calls it. A procedure of the table without a test is a complaint.

setup() { . "$BATS_TEST_DIRNAME/../families.bash"; }

setup_file() {
    . "$BATS_TEST_DIRNAME/../families.bash"
    : "${BUILD:=$BATS_TEST_DIRNAME/../../build}"
    export BUILD results=$BUILD/tests/calls/valid natives
    natives="openmpi=$(release_here openmpi) mpich=$(release_here mpich)"
    recorded=0
    record has $natives || recorded=$?
    [ "$recorded" -ne 3 ] || skip "results.tsv has nothing of the MPIs of this machine: $natives"
    [ "$recorded" -eq 0 ]
    "$BATS_TEST_DIRNAME/valid/run.sh" openmpi mpich
}

record() { "${PYTHON:-python3}" -B "$BATS_TEST_DIRNAME/valid/record.py" "$@"; }

# judge MODE FOLDER
judge() { "${PYTHON:-python3}" -B "$BATS_TEST_DIRNAME/valid/judge.py" "$1" "$2" $natives; }

try() {
    need_mode "$1"
    "$BATS_TEST_DIRNAME/valid/run.sh" "$1"
    judge "$1" "$results"
}

@test "every function of an Open MPI program's libraries does on MPICH what it does natively" {
    try openmpi-to-mpich
}

@test "every function of an MPICH program's libraries does on Open MPI what it does natively" {
    try mpich-to-openmpi
}

@test "every function of the standard ABI's library does on MPICH what it does natively" {
    try mpiabi-to-mpich
}

@test "every function of the standard ABI's library does on Open MPI what it does natively" {
    try mpiabi-to-openmpi
}

# bats test_tags=long
@test "every function of an Open MPI program's libraries does on a host of the standard ABI what it does natively" {
    try openmpi-to-mpiabi-to-mpich
}

# bats test_tags=long
@test "every function of an MPICH program's libraries does on a host of the standard ABI what it does natively" {
    try mpich-to-mpiabi-to-openmpi
}

@test "a function that no test calls is complained of, and so is one that does what no MPI does" {
    work=$BATS_TEST_TMPDIR
    cp "$results"/{openmpi,mpich,mpiabi-to-mpich,mpiabi-to-mpich.list} "$work"
    echo "libmpi_abi.so.1 MPI_Send_more MPI_Send_more c 0000000000001000" >> "$work/mpiabi-to-mpich.list"
    sed -i 's/\(MPI_Comm_size\tc\tMPI_SUCCESS\tsize\)=1/\1=2/' "$work/mpiabi-to-mpich"
    run judge mpiabi-to-mpich "$work"
    [ "$status" -ne 0 ]
    [[ $output == *"MPI_Send_more of libmpi_abi.so.1"*"no test calls it"* ]]
    [[ $output == *"leaves 2 in size; natively 1"* ]]
}

@test "the page of what was tried is made from the stored results" {
    record check
}

@test "what is too long for the page goes into build" {
    mkdir "$BATS_TEST_TMPDIR"/{tests,docs}
    cp -r "$BATS_TEST_DIRNAME/../"{calls,conformance,releases,exceptions.py} "$BATS_TEST_TMPDIR/tests"
    install -D "$BATS_TEST_DIRNAME/../random/counts.tsv" "$BATS_TEST_TMPDIR/tests/random/counts.tsv"
    BUILD=$BATS_TEST_TMPDIR/build "${PYTHON:-python3}" -B "$BATS_TEST_TMPDIR/tests/calls/valid/record.py" write
    cmp "$BATS_TEST_TMPDIR/docs/conformance.md" "$BATS_TEST_DIRNAME/../../docs/conformance.md"
    # A row for each library, one for each program, and each case that is left out.
    details=$BATS_TEST_TMPDIR/build/tests/conformance/details.md
    grep '^| `openmpi-to-mpich` | `libmpi_mpifh.so.40` | [0-9]' "$details"
    grep '^| `fatal_ranks` | [0-9]' "$details"
    [ "$(sed -n '/^## Left out/,/^## /p' "$details" | grep -c '^| [mo]')" -eq "$(grep -c '^[^#]' "$BATS_TEST_DIRNAME/../conformance/left-out.tsv")" ]
}

@test "what is not recorded is told from what fails, and a release that no Debian has is named" {
    record has $natives
    run record has openmpi=1.2.3 mpich=4.5.6
    [ "$status" -eq 3 ]
    run record has openmpi
    [[ $status != 0 && $status != 3 ]]
    mkdir "$BATS_TEST_TMPDIR"/{tests,docs}
    cp -r "$BATS_TEST_DIRNAME/../"{calls,conformance,releases,exceptions.py} "$BATS_TEST_TMPDIR/tests"
    sed -i 's/^4\.1\.4\t/9.8.7\t/' "$BATS_TEST_TMPDIR/tests/calls/valid/results.tsv"
    run "${PYTHON:-python3}" -B "$BATS_TEST_TMPDIR/tests/calls/valid/record.py" write
    [ "$status" -eq 1 ]
    [ "$output" = "record.py: no Debian has Open MPI 9.8.7; add it to tests/releases/mpis.tsv" ]
    [ ! -e "$BATS_TEST_TMPDIR/docs/conformance.md" ]
}
