#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# A host that answers what no MPI answers ends the process in one line: nothing is written beyond an array or read at address 0.

load ../pair

setup() {
    cd "$BATS_TEST_TMPDIR"
    bats_require_minimum_version 1.5.0
}

# refused CALL WHAT: the process ends with this, and the program says nothing.
refused() {
    run --separate-stderr env NONSENSE="$1" MPI_ADAPTER_HOST_LIBRARY="$PWD/before.so" LD_LIBRARY_PATH="$folder" timeout 120 ./program
    echo "status $status, $output, $stderr"
    [ "$status" -ne 0 ] && [ -z "$output" ] && [[ $stderr == *"mpi-adapter: "*"$2"* ]]
}

judges() {
    app_program program "$here/programs/nonsense.c"
    host_program before.so -shared -fPIC -DHOST "$here/programs/nonsense.c"
    [ "$(MPI_ADAPTER_HOST_LIBRARY=$PWD/before.so adapted ./program)" = right ]
    refused version 'says that it has MPI 2.'
    refused some 'the host MPI answers that more requests are complete than there are; '
    refused any 'the host MPI answers that a request is complete that is not among the given ones; '
    refused attribute 'the host MPI answers a predefined attribute without a value; '
}

@test "answers that no MPI gives are refused in a line" {
    for_each_pair judges
}
