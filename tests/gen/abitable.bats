#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# The tables' parser: test_abitable.py, and what programs print for a malformed table.

bats_require_minimum_version 1.5.0

setup()
{
    load common
}

@test "tables are read back, malformed ones refused at the right line" {
    "$PYTHON" -B "$TESTS/test_abitable.py"
}

@test "a program prints file:line: error: message, and fails" {
    cp -r "$TESTS/golden/tiny" "$BATS_TEST_TMPDIR/table"
    echo "MPI_X int int many" >> "$BATS_TEST_TMPDIR/table/constants"
    run -1 --separate-stderr "$PYTHON" -B "$TESTS/load.py" "$BATS_TEST_TMPDIR/table"
    [ -z "$output" ]
    [ "$stderr" = "$BATS_TEST_TMPDIR/table/constants:9: error: 'many' is not a decimal number" ]
}
