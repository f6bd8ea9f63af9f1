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
    printf '# a table\ncheck-one\tbuild\tmade\there\techo "one: $WORDS of $VERSION"; ! [ -e broken ]\n' > tests/matrix/matrix.tsv
    printf 'check-three\troots\t-\troots sid\techo "three in ${RELEASES:-all}"\n' >> tests/matrix/matrix.tsv
    printf 'check-two\troots\t-\there trixie sid\techo "two: in ${RELEASES:-no root}" | tee -a two\n' >> tests/matrix/matrix.tsv
    git init -q
    git add .
    commit one
}

commit() { git -c user.name=x -c user.email=x@mpi.example commit -q --allow-empty -m "$1"; }

# ended: the results, without the time, and with the commit and the day as words.
ended() { cut -f 1-5 build/matrix/results.tsv | sed "s/\t$(git rev-parse --short HEAD)\t/\tHEAD\t/; s/\t20[0-9-]*\t/\t/"; }

@test "a target installs its packages, builds what it needs, and runs with the settings of make" {
    run --separate-stderr make -s -j3 check-one WORDS='a  b' WITH=it
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
    # Nothing runs where a name is none.
    run tests/matrix/run check-two check-four
    [ "$status" -eq 2 ]
    [ "$output" = "tests/matrix/run: there is no check 'check-four'; give any of: check-one check-three check-two" ]
    run make -s check-one RELEASES=sid
    [ "$status" -eq 2 ]
    [[ $output == 'tests/matrix/run: check-one has no choice of releases; leave out RELEASES'* ]]
    make -s check-three RELEASES=sid
    [ "$(ended)" = $'check-three\tsid\tHEAD\tpassed\ncheck-two\ttrixie sid\tHEAD\tpassed' ]
    run make -s matrix RELEASES=sid
    [ "$status" -eq 2 ]
    [[ $output == 'tests/matrix/run: RELEASES: settings are for one check; name it, or leave them out'* ]]
}

@test "all run in each of their places, those that failed or are of another commit once more" {
    touch broken
    run make -s matrix
    [ "$status" -eq 2 ]
    [ "$(ended)" = $'check-one\there\tHEAD\tfailed\ncheck-three\troots\tHEAD\tpassed\ncheck-two\there\tHEAD\tpassed\ncheck-two\ttrixie sid\tHEAD\tpassed' ]
    [ "$(cut -f 1-2,5 <<< "${lines[0]}")" = $'check-one\there\tfailed' ]
    grep -x 'one:  of 9' build/matrix/check-one-here.log
    grep -x 'two: in trixie sid' build/matrix/check-two-trixie-sid.log
    rm broken
    make -s matrix
    [ "$(grep -c passed build/matrix/results.tsv)" -eq 4 ]
    [ "$(wc -l < two)" -eq 2 ]
    commit two
    make -s matrix
    [ "$(wc -l < two)" -eq 4 ]
    [ "$(tests/matrix/run --results)" = "$(< build/matrix/results.tsv)" ]
    # A change that is not committed may be one that a check would find; files that checks write are not meant.
    mkdir docs
    echo written > tests/one.tsv
    git add tests
    make -s matrix
    [ "$(wc -l < two)" -eq 4 ]
    echo >> Makefile
    make -s matrix
    make -s matrix
    [ "$(wc -l < two)" -eq 8 ]
    [[ $(cut -f 3 build/matrix/results.tsv | sort -u) == *+ ]]
    # Nor does a checkout without a commit stand still.
    rm -rf .git
    make -s matrix
    make -s matrix
    [ "$(wc -l < two)" -eq 12 ]
}

@test "a part of a check is not kept as the whole, and not asked of all" {
    make -s check-two PARTS=a
    [ ! -s build/matrix/results.tsv ]
    run make -s matrix PARTS=a NAMED=b
    [ "$status" -eq 2 ]
    [[ $output == 'tests/matrix/run:  NAMED PARTS: settings are for one check; name it, or leave them out'* ]]
}

@test "checks at the same time lose none of their results" {
    local number
    for number in 1 2 3 4 5 6 7 8; do printf 'check-%s\tbuild\t-\there\ttrue\n' "$number"; done > tests/matrix/matrix.tsv
    make -s -j8 check-1 check-2 check-3 check-4 check-5 check-6 check-7 check-8
    [ "$(grep -c passed build/matrix/results.tsv)" -eq 8 ]
}

@test "an interrupt ends all of it, and a folder that cannot be written is told first" {
    printf 'check-one\tbuild\t-\there\ttrap "exit 1" INT; kill -INT $PPID $$\ncheck-two\tbuild\t-\there\ttouch begun\n' > tests/matrix/matrix.tsv
    run -130 tests/matrix/run
    [ ! -e begun ]
    [ ! -s build/matrix/results.tsv ]
    rm -r build
    touch build
    run tests/matrix/run check-two
    [ "$status" -eq 2 ]
    [[ $output == *"tests/matrix/run: $PWD/build/matrix cannot be written; give another BUILD, or remove it as the user who made it" ]]
    [ ! -e begun ]
}

@test "each check has a row of known packages, a command that is there, and a line of help" {
    local target packages built places command name rows=0
    top=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
    while IFS=$'\t' read -r target packages built places command; do
        for name in $packages; do
            grep -E "^known='(.* )?$name( .*)?'" "$top/scripts/install-packages" > /dev/null || { echo "$target: no packages are for $name"; return 1; }
        done
        for name in $(grep -oE '(tests|scripts)/[a-z0-9/.-]+' <<< "$command"); do
            [ -e "$top/$name" ] || { echo "$target: $name is not there"; return 1; }
        done
        for name in $(sed -n 's|.*scripts/check \([^ ]*\).*|\1|p' <<< "$command"); do "$top/scripts/check" --names "$name"; done
        for name in ${built#-}; do
            cat "$top/Makefile" "$top"/*/*.mk | grep -E "^\.PHONY:(.*) $name( |\$)" > /dev/null || { echo "$target: make has no $name"; return 1; }
        done
        grep "^##> make $target " "$BATS_TEST_DIRNAME/matrix.mk"
        rows=$((rows + 1))
    done < <(grep -v '^#' "$BATS_TEST_DIRNAME/matrix.tsv")
    [ "$rows" -gt 0 ]
}
