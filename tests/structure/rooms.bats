#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# The plan of adapter-c in HACKING.md is that of the tree: each room uses those below it, and none above.

load ../pair.bash

setup() {
    arrows=$BATS_TEST_DIRNAME/arrows
    symbols=$BATS_TEST_DIRNAME/symbols
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

# all_rooms: the same with Fortran's base, which is outside adapter-c.
all_rooms() {
    sed -n 's/^  | \([a-z0-9_]*\)\/\? .*/\1/p' "$top/HACKING.md"
}

pair_names() {
    grep -v '^#' "$top/abi-tables/pairs"
}

# built_pairs: those whose objects are there.
built_pairs() {
    local name
    for name in $(pair_names); do
        [ ! -d "$build/pair/$name/objects" ] || echo "$name"
    done
}

@test "no object of a pair needs a symbol of a room above" {
    local count=0
    for name in $(built_pairs); do
        use_pair "$name"
        run -0 "$symbols" $(all_rooms) < <(adapter_objects)
        [ -z "$output" ]
        count=$((count + 1))
    done
    [ "$count" -gt 0 ]
}

# overridable: weak definitions of objects whose names are read. MPI_X is weak for tools.
overridable() {
    xargs nm -P | awk '$2 ~ /^[WV]$/ && $1 !~ /^P?MPI[XOL]?_|^OMPI_/ { print $1 }'
}

@test "no function is there to be overridden by a room above" {
    for name in $(built_pairs); do
        use_pair "$name"
        run -0 overridable < <(adapter_objects)
        [ -z "$output" ]
    done
}

# merged: which rooms each uses, by includes and by symbols.
merged() {
    local name
    {
        "$arrows" --uses "$top/adapter-c" $(plan)
        for name in $(built_pairs); do
            use_pair "$name"
            adapter_objects | "$symbols" --uses $(all_rooms)
        done
    } | awk -v rooms="$(all_rooms | tr '\n' ' ')" '
        { sub(/:/, ""); for (i = 2; i <= NF; i++) used[$1, $i] = 1 }
        END {
            count = split(rooms, order, " ")
            for (i = 1; i <= count; i++) {
                line = ""
                for (j = 1; j <= count; j++)
                    line = line ((order[i], order[j]) in used ? " " order[j] : "")
                if (line != "")
                    print order[i] ":" line
            }
        }'
}

@test "the arrows that HACKING shows are those of the tree" {
    [ "$(built_pairs)" = "$(pair_names)" ] || skip "not all pairs are built"
    diff <(sed -n 's/^  | \([a-z0-9_]*\)\/\? .*| uses \(.*[a-z0-9]\) *|$/\1: \2/p' "$top/HACKING.md") <(merged)
}

# A comparison in awk that is taken for a redirection makes files of such names.
@test "tests/README.md names every folder of tests and no other, and no file of tests has a number for its name" {
    cd "$top"
    diff <(sed -n 's,^| `\([a-z0-9-]*\)/` | .*,tests/\1,p' tests/README.md | LC_ALL=C sort -u) \
        <(find tests -mindepth 1 -maxdepth 1 -type d ! -name __pycache__ | LC_ALL=C sort)
    [ -z "$(find tests -name '[0-9]*' ! -name '*[!0-9]*')" ]
}
