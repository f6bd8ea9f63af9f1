#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# Rules about the project's words that a machine can judge. CONTRIBUTING.md has all of them.

bats_require_minimum_version 1.5.0

setup() { cd "$BATS_TEST_DIRNAME/../.."; }

@test "groff and mandoc find no fault in the manual pages" {
    type -P mandoc > /dev/null || skip "mandoc is not installed"
    type -P groff > /dev/null || skip "groff is not installed"
    local page
    for page in docs/man/*; do
        run groff -man -Tutf8 -ww -z "$page"
        echo "$output"
        [ -z "$output" ]
        run mandoc -T lint -W warning "$page"
        echo "$output"
        [ "$status" -eq 0 ]
    done
}

@test "subjects of commits are imperatives of at most 72 characters" {
    local first=2e577c2248
    git cat-file -e "$first^{commit}" 2> /dev/null || skip "the history of this checkout is not complete"
    git log --no-merges --format='%h %s' "$first..HEAD" > "$BATS_TEST_TMPDIR/subjects"
    run grep -E '^[0-9a-f]+ (.{73,}|.*\.|[^A-Z].*|(Add|Chang|Fix|Mov|Remov|Updat)(ed|ing|s|es) .*)$' "$BATS_TEST_TMPDIR/subjects"
    echo "$output"
    [ "$status" -eq 1 ]
}

@test "comments of sources begin with their subject, not with What, Where, Of or Those" {
    run grep -rnIE --exclude='*.md' '^([^"]*(//|/\*|[^"#]#|!)|#| \*| *""") *(What|Where)\b' Makefile command adapter-c adapter-f77 gotswap detour gen compile \
        scripts templates abi-tables bench packaging docs/conf.py tests
    echo "$output"
    [ "$status" -eq 1 ]
    run grep -rnIE --exclude='*.md' '^([^"]*(//|/\*|[^"#]#|!)|#| \*| *""") *(Of|Those|Who|Whose)\b' Makefile command adapter-c adapter-f77 gotswap detour gen \
        compile scripts templates abi-tables bench packaging docs/conf.py
    echo "$output"
    [ "$status" -eq 1 ]
}

@test "nothing is misspelt" {
    type -P codespell > /dev/null || skip "codespell is not installed"
    run codespell --quiet-level 3 --ignore-words tests/docs/words ./*.md docs abi-tables/FORMAT.md command \
        adapter-c adapter-f77 detour gen gotswap templates scripts compile packaging bench Makefile
    echo "$output"
    [ "$status" -eq 0 ]
    # Tests misspell on purpose. A letter behind a backslash belongs to no word.
    run codespell --quiet-level 3 --ignore-words tests/docs/words --ignore-regex '\\[nrtv]\w+' \
        --ignore-words-list befores,earch,improbe,lits,lsit,ot,updat,valied,verison tests
    echo "$output"
    [ "$status" -eq 0 ]
}
