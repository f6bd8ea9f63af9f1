#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# The harness of `make matrix`, with checks of its own in a checkout of its own.

bats_require_minimum_version 1.5.0

setup() {
    unset BUILD RELEASES MAKEFLAGS MAKELEVEL
    cd "$BATS_TEST_TMPDIR"
    mkdir -p tests/matrix scripts
    cp "$BATS_TEST_DIRNAME"/{run,matrix.mk} tests/matrix
    printf '#!/bin/sh\necho "packages: $*"\n' > scripts/install-packages
    chmod +x scripts/install-packages
    printf '%s\n' 'BUILD := build' 'PYTHON := python3' 'VERSION := 9' 'include tests/matrix/matrix.mk' 'made:' '	@echo "made $(WITH)"' > Makefile
    printf '# a table\ncheck-one\tbuild\tmade\there\techo "one: $PARTS of $VERSION"; ! [ -e broken ]\n' > tests/matrix/matrix.tsv
    printf 'check-two\troots\t-\there trixie sid\techo "two: in ${RELEASES:-no root}" | tee -a two\n' >> tests/matrix/matrix.tsv
    git init -q
    git add .
    commit one
}

commit() { git -c user.name=x -c user.email=x@mpi.example commit -q --allow-empty -m "$1"; }

# ended: the results, without the time, and with the commit and the day as words.
ended() { cut -f 1-5 build/matrix/results.tsv | sed "s/\t$(git rev-parse --short HEAD)\t/\tHEAD\t/; s/\t20[0-9-]*\t/\t/"; }

@test "a target installs its packages, builds what it needs, and runs with the settings of make" {
    run --separate-stderr make -s -j3 check-one PARTS='a  b' WITH=it
    [ "$status" -eq 0 ]
    [ "$output" = $'packages: build\nmade it\none: a  b of 9' ]
    [ -z "$stderr" ]
    [ "$(ended)" = $'check-one\there\tHEAD\tpassed' ]
    touch broken
    run make -s check-one
    [ "$status" -eq 2 ]
    [ "$(ended)" = $'check-one\there\tHEAD\tfailed' ]
    # With -n it is shown alone.
    rm -r build
    run make -n check-one
    [[ $output == *'tests/matrix/run check-one' ]]
    [ ! -e build ]
}

@test "RELEASES names roots, for checks that run in some" {
    run make -s check-two RELEASES='trixie sid'
    [ "$output" = $'packages: roots roots\ntwo: in trixie sid' ]
    [ "$(ended)" = $'check-two\ttrixie sid\tHEAD\tpassed' ]
    run tests/matrix/run check-three
    [ "$status" -eq 2 ]
    [ "$output" = "tests/matrix/run: there is no check 'check-three'; give any of: check-one check-two" ]
    run make -s check-one RELEASES=sid
    [ "$status" -eq 2 ]
    [[ $output == 'tests/matrix/run: check-one runs on this machine alone; leave out RELEASES'* ]]
}

@test "all run in each of their places, those that failed or are of another commit once more" {
    touch broken
    run make -s matrix
    [ "$status" -eq 2 ]
    [ "$(ended)" = $'check-one\there\tHEAD\tfailed\ncheck-two\there\tHEAD\tpassed\ncheck-two\ttrixie sid\tHEAD\tpassed' ]
    [ "$(cut -f 1-2,5 <<< "${lines[0]}")" = $'check-one\there\tfailed' ]
    grep -x 'one:  of 9' build/matrix/check-one-here.log
    grep -x 'two: in trixie sid' build/matrix/check-two-trixie-sid.log
    rm broken
    make -s matrix
    [ "$(grep -c passed build/matrix/results.tsv)" -eq 3 ]
    [ "$(wc -l < two)" -eq 2 ]
    commit two
    make -s matrix
    [ "$(wc -l < two)" -eq 4 ]
    [ "$(tests/matrix/run --results)" = "$(< build/matrix/results.tsv)" ]
}

@test "each check has a row of known packages, a command that is there, and a line of help" {
    local target packages built places command name rows=0
    top=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
    while IFS=$'\t' read -r target packages built places command; do
        # shellcheck disable=SC2086  # words
        "$top/scripts/install-packages" --say $packages > said 2>&1 || ! grep -q purpose said || { cat said; return 1; }
        for name in $(grep -oE '(tests|scripts)/[a-z0-9/.-]+' <<< "$command"); do
            [ -e "$top/$name" ] || [ -e "$top/tests/$name" ] || { echo "$target: $name is not there"; return 1; }
        done
        grep "^##> make $target " "$BATS_TEST_DIRNAME/matrix.mk"
        rows=$((rows + 1))
    done < <(grep -v '^#' "$BATS_TEST_DIRNAME/matrix.tsv")
    [ "$rows" -gt 0 ]
}
