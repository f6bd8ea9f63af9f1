#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# Headers have one form: a comment on the whole, and a comment that begins with a verb on each function.

bats_require_minimum_version 1.5.0

setup() {
    top=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
    cd "$BATS_TEST_TMPDIR"
}

@test "every header says what it is for, and what each of its functions does" {
    mapfile -t headers < <(find "$top"/adapter-c "$top"/adapter-f77 "$top"/gotswap "$top"/command "$top"/compile "$top"/detour "$top"/bench -name '*.h')
    [ "${#headers[@]}" -gt 100 ]
    "${PYTHON:-python3}" -B "$BATS_TEST_DIRNAME/headers.py" "${headers[@]}"
}
