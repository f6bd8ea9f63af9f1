#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# The plan of adapter-c in HACKING.md is that of the tree: each room uses those below it, and none above.

bats_require_minimum_version 1.5.0

setup() {
    top=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
    arrows=$BATS_TEST_DIRNAME/arrows
}

# plan: the rooms as HACKING draws them, from the top down.
plan() {
    sed -n 's/^  | \([a-z_]*\)\/ .*/\1/p' "$top/HACKING.md"
}

@test "every file is in a room that HACKING shows, and every room is built" {
    [ "$(plan | sort)" = "$(cd "$top/adapter-c" && find . -mindepth 2 -name '*.[ch]' | cut -d/ -f2 | grep -v companion | sort -u)" ]
    [ "$(plan | grep -v application | tac | tr '\n' ' ')" = "$(sed -n 's/^adapter_rooms := //p' "$top/adapter-c/adapter-c.mk") " ]
    run -1 bash -c "find '$top/adapter-c' -maxdepth 1 -name '*.[ch]' | grep ."
}

@test "no room uses one above it" {
    run -0 "$arrows" "$top/adapter-c" $(plan)
    [ -z "$output" ]
}

@test "an include that leads up would be seen" {
    cp -r "$top/adapter-c" "$BATS_TEST_TMPDIR/house"
    echo '#include "calls/language.h"' >> "$BATS_TEST_TMPDIR/house/convert/codec.c"
    echo '#include "compress.h"' >> "$BATS_TEST_TMPDIR/house/convert/codec.c"
    run -1 "$arrows" "$BATS_TEST_TMPDIR/house" $(plan)
    [[ ${lines[0]} == "convert/codec.c uses calls/language.h, which is above it" ]]
    [[ ${lines[1]} == "convert/codec.c names compress.h without its room" ]]
    [ ${#lines[@]} -eq 2 ]
}

@test "the arrows that HACKING shows are those of the tree" {
    diff <(sed -n 's/^  | \([a-z_]*\)\/ .*| uses \(.*[a-z]\) *|$/\1: \2/p' "$top/HACKING.md") \
        <("$arrows" --uses "$top/adapter-c" $(plan))
}
