#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# The procedure table's statements about hand-written code.

top=$BATS_TEST_DIRNAME/../..

@test "no procedure of the host is called for what is marked local" {
    local name
    while read -r name; do
        run grep -rnE "(host|own|direct)(\.|->)$name\b" "$top/adapter-c" "$top/adapter-f77" --include='*.[ch]'
        [ "$status" -eq 1 ] || { echo "$output"; return 1; }
    done < <(sed -n 's/^\(MPI[A-Za-z_0-9]*\) [^ ]*\blocal\b.*/\1/p' "$top/abi-tables/procedures")
    [ "$(grep -c '^MPI[A-Za-z_0-9]* [^ ]*custom,local' "$top/abi-tables/procedures")" -gt 50 ]
}
