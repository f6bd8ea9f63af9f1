#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# Every function of gen/ says the types of what it takes and returns, and mypy agrees; flake8 finds nothing.

bats_require_minimum_version 1.5.0

setup()
{
    load common
    cp -r "$GEN" "$BATS_TEST_TMPDIR/gen"
    cd "$BATS_TEST_TMPDIR"
}

# The types of gen/ in this folder.
types()
{
    type -P mypy > /dev/null || skip 'mypy is not installed'
    run mypy --config-file gen/checks.cfg --cache-dir "$BATS_FILE_TMPDIR/mypy" --no-error-summary gen
}

style()
{
    type -P flake8 > /dev/null || skip 'flake8 is not installed'
    run flake8 --config gen/checks.cfg gen
}

@test "mypy finds the types right" {
    types
    [ -z "$output" ]
    [ "$status" -eq 0 ]
}

@test "mypy finds a function without types, and a wrong one" {
    printf '\n\ndef untyped(name):\n    return name\n\n\ndef wrong() -> int:\n    return "1"\n' >> gen/output.py
    types
    [[ $output == *'output.py:'*'Function is missing a type annotation'* ]]
    [[ $output == *'output.py:'*'expected "int"'* ]]
}

@test "flake8 finds nothing" {
    style
    [ -z "$output" ]
    [ "$status" -eq 0 ]
}

@test "flake8 finds what is imported and not used" {
    sed -i 's/^import os$/import os\nimport shlex/' gen/output.py
    style
    [[ $output == *"output.py:"*"'shlex' imported but unused"* ]]
}
