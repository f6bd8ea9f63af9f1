#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# Every function of gen/ says the types of what it takes and returns, and mypy agrees; flake8 finds nothing.

bats_require_minimum_version 1.5.0

setup()
{
    cd "$BATS_TEST_DIRNAME/../.."
}

@test "mypy finds the types right" {
    type -P mypy > /dev/null || skip 'mypy is not installed'
    run mypy --config-file gen/checks.cfg --cache-dir "$BATS_TEST_TMPDIR/mypy" --no-error-summary gen
    echo "$output"
    [ -z "$output" ]
    [ "$status" -eq 0 ]
}

@test "flake8 finds nothing" {
    type -P flake8 > /dev/null || skip 'flake8 is not installed'
    run flake8 --config gen/checks.cfg gen
    echo "$output"
    [ -z "$output" ]
    [ "$status" -eq 0 ]
}
