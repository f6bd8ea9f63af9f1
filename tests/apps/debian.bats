#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# Programs and libraries that Debian built against MPICH, on Open MPI.

load ../pair
use_pair mpich-to-openmpi

setup() {
    cd "$BATS_TEST_TMPDIR"
}

# plausible_rows FILE: NetPIPE's sizes grow, and times and rates are positive.
plausible_rows() {
    awk 'NF != 3 || $1 <= last || $2 <= 0 || $3 <= 0 || $3 > 1 { print "row " NR ": " $0; bad = 1 }
         { last = $1 } END { exit bad || NR < 20 || last < 1000 }' "$1"
}

@test "netpipe-mpich2 measures" {
    need_commands NPmpich2
    ldd "$(command -v NPmpich2)" | grep -q 'libmpich.so.12'
    "$command" run --to openmpi -n 2 NPmpich2 -u 1024 -n 20 -o rows > output 2> messages
    plausible_rows rows
    run ! grep -iE 'error|abort|mpi-adapter' output messages
    # And with its data checked, which it does instead of measuring.
    "$command" run --to openmpi -n 2 NPmpich2 -u 1024 -n 20 -i -o checked > output 2> messages
    [ "$(grep -c 'times -->  Integrity check passed' messages)" -ge 10 ] || { cat output messages; return 1; }
    run ! grep -iE 'failed|abort|mpi-adapter' output messages
}

# matrix_of N: what N ranks write, as h5dump prints it.
matrix_of() {
    local row column line
    for ((row = 0; row < 3 * $1; row++)); do
        line="      $((row * 100))"
        for ((column = 1; column < 8; column++)); do line+=", $((row * 100 + column))"; done
        [ $((row + 1)) -eq $((3 * $1)) ] || line+=,
        echo "$line"
    done
}

@test "libhdf5-mpich writes one file by collective MPI-IO" {
    local ranks io
    need_commands h5pcc.mpich h5dump ompi_info
    HDF5_CC="mpicc.mpich -cc=$CC" h5pcc.mpich -shlib -O1 -Wall -o hdf5 "$here/hdf5.c"
    readelf -d hdf5 | grep -q 'NEEDED.*libhdf5_mpich'
    for io in $(ompi_info --parsable | sed -n 's/^mca:io:\([^:]*\):version:.*/\1/p' | sort -u); do
        for ranks in 1 2 4; do
            rm -f file.h5
            output=$(OMPI_MCA_io=$io "$command" run --to openmpi -n $ranks ./hdf5 file.h5 2>&1)
            [[ $output == "right: $ranks ranks, Open MPI"* ]] || { echo "$io: $output"; return 1; }
            h5dump -d matrix -y -w 0 file.h5 | grep -E '^ +[0-9]' | diff - <(matrix_of $ranks)
        done
    done
}

@test "libscalapack-mpich solves a linear system" {
    local library=libscalapack-mpich.so.2.2
    [ "$("$CC" -print-file-name=$library)" != $library ] || skip "libscalapack-mpich2.2 is not installed"
    app_program scalapack "$here/scalapack.c" -l:$library -lm
    for ranks in 1 2 4; do
        [ "$("$command" run --to openmpi -n $ranks ./scalapack 2>&1)" = right ]
    done
}
