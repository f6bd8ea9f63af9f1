#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# The program that does all access to trees is given random trees and journals, under AddressSanitizer and UndefinedBehaviorSanitizer.
# For longer: tests/trees/fuzz.py PROGRAM FOLDER 3600s.

@test "random trees and journals" {
    local top=$BATS_TEST_DIRNAME/../..
    export ASAN_OPTIONS=detect_leaks=0
    "${CC:-gcc}" -std=c11 -D_GNU_SOURCE -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all -I"$top/command/base" "$top"/command/tree/*.c \
        "$top"/command/base/{memory,words}.c "$top/command/elf/text.c" -o "$BATS_TEST_TMPDIR/trees"
    mkdir "$BATS_TEST_TMPDIR/made"
    "${PYTHON:-python3}" -B "$BATS_TEST_DIRNAME/fuzz.py" "$BATS_TEST_TMPDIR/trees" "$BATS_TEST_TMPDIR/made" 15
}
