#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# The table of pairs and releases in README.md is made from the tables.

bats_require_minimum_version 1.5.0

setup() {
    top=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
    cd "$BATS_TEST_TMPDIR"
    cp -r "$top/abi-tables" tables
    cp "$top/README.md" .
}

support() { "${PYTHON:-/usr/bin/python3}" "$top/gen/support.py" --tables "${tables:-tables}" "$@"; }

@test "README.md has the pairs and releases that the tables have" {
    tables=abi-tables
    cd "$top"
    support --check README.md
}

@test "a release, a pair or a family more is found, and written" {
    cp -r tables/mpich-5.0.2 tables/mpich-5.10.0
    run --separate-stderr support --check README.md
    [ "$status" -eq 1 ]
    [ -z "$output" ]
    [[ $stderr == "README.md: error: its table of pairs and releases is not that of the tables; run gen/support.py "* ]]
    cmp README.md "$top/README.md"
    support README.md
    grep -q '^| Open MPI .* | `libmpi.so.40`, `libmpi.so.20` | MPICH 3.4.1 to 5.10.0; ' README.md
    printf 'lam %s\n' 'called LAM/MPI' 'soname liblam.so.9' 'needs liblam.so.9' 'libraries liblam.so.9' 'scope RTLD_LOCAL' \
        'implementations mpich' >> tables/families
    echo lam-to-mpich >> tables/pairs
    support README.md
    grep -qF '| LAM/MPI | `liblam.so.9` | MPICH 3.4.1 to 5.10.0 | C |' README.md
    # Nothing else is touched.
    diff <(sed '/^<!-- This table/,/^<!-- Its end/d' README.md) <(sed '/^<!-- This table/,/^<!-- Its end/d' "$top/README.md")
}

@test "a document without the place for it is refused" {
    echo text > text.md
    run --separate-stderr support text.md
    [ "$status" -eq 1 ]
    [[ $stderr == "text.md: error: '<!-- This table is made "*"stands 0 times, not once" ]]
    printf '%s\n' '<!-- Its end. -->' '<!-- This table is made from abi-tables by gen/support.py. -->' > text.md
    run --separate-stderr support text.md
    [ "$status" -eq 1 ]
    [[ $stderr == *'comes before the table' ]]
}
