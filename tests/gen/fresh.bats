#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# Committed tables are what the scanner writes today, for the releases that are installed.

@test "the tables of the installed releases are up to date" {
    top=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
    run make -s -C "$top" check-tables BUILD="$BATS_TEST_TMPDIR/build" PAIRS=
    echo "$output"
    [ "$status" -eq 0 ]
    [[ $output == *"is up to date"* ]]
}
