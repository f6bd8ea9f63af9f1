#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# The gallery of docs/: its page is of results that `make check-gallery` has found, and those are judged as it says.

bats_require_minimum_version 1.5.0

setup() {
    top=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
    : "${BUILD:=$top/build}"
    export BUILD
    unset LD_LIBRARY_PATH LD_PRELOAD MPI_ADAPTER_PATH MPI_ADAPTER_HOST_LIBRARY
    cd "$BATS_TEST_TMPDIR"
}

gallery() { "${PYTHON:-/usr/bin/python3}" "$here/gallery.py" "$@"; }

@test "docs/gallery.md is what was found, of each program in each direction, and all is right" {
    here=$BATS_TEST_DIRNAME
    gallery check
    sed '/^#/d' "$here/programs.tsv" | while IFS=$'\t' read -r program _ _ families _; do
        [ -e "$here/programs/$program" ]
        [ "$(grep -c "^$program"$'\t' "$here/results.tsv")" -eq "$(wc -w <<< "$families")" ]
    done
    run ! grep -v '^#\|'$'\tright$' "$here/results.tsv"
}

figures() { "${PYTHON:-/usr/bin/python3}" "$BATS_TEST_DIRNAME/figures.py" "$@"; }

@test "the figures of docs/gallery.md are drawn of their tables, and show equal pictures" {
    figures check
    grep -q 'steps, 2 ranks: none of them differ' "$top/docs/heat.svg"
    "${PYTHON:-/usr/bin/python3}" -c 'import sys, xml.dom.minidom
for path in sys.argv[1:]: xml.dom.minidom.parse(path)' "$top"/docs/{heat,costs}.svg
    # As the tables of another checkout say.
    mkdir -p tests/gallery docs
    cp "$BATS_TEST_DIRNAME"/{figures.py,heat.c,heat.tsv,costs.tsv} tests/gallery
    ln -s "$top/bench" "$top/abi-tables" .
    sed -i '0,/^native-row\t../s//native-row\tff/' tests/gallery/heat.tsv
    sed -i 's/^\(openmpi-to-mpich\tcg\)\t.*/\1\t1.0\t1.05\t7/' tests/gallery/costs.tsv
    run "${PYTHON:-/usr/bin/python3}" tests/gallery/figures.py check
    [ "$status" -eq 1 ]
    [ "$output" = 'docs/heat.svg: error: it is not what the tables say; run tests/gallery/figures.py draw' ]
    "${PYTHON:-/usr/bin/python3}" tests/gallery/figures.py draw
    "${PYTHON:-/usr/bin/python3}" tests/gallery/figures.py check
    grep -q 'steps, 2 ranks: 1 of them differ' docs/heat.svg
    grep -q '>+5.0 %<' docs/costs.svg
    run ! figures nonsense
}

@test "the heat equation comes to the same bits natively and adapted, in both directions" {
    . "$top/tests/components.bash"
    mkdir tests
    cp -r "$BATS_TEST_DIRNAME" tests/gallery
    ln -s "$top/bench" "$top/abi-tables" .
    "${PYTHON:-/usr/bin/python3}" tests/gallery/figures.py heat "$PWD"
    # The pictures are the ones that are kept, whatever releases these are.
    diff <(grep '^native-row' tests/gallery/heat.tsv) <(grep '^native-row' "$BATS_TEST_DIRNAME/heat.tsv")
}

# A checkout with a gallery of one program, which computes what a table has for each mode.
false_gallery() {
    here=$PWD/tests/gallery
    mkdir -p tests/gallery docs
    ln -s "$top/abi-tables" abi-tables
    ln -s "$top/scripts" scripts
    cp "$BATS_TEST_DIRNAME/gallery.py" tests/gallery
    printf 'one\tThe program\tbash\t%s\t1e-6\tits sum\n' "$1" > tests/gallery/programs.tsv
    printf '#!/bin/sh\nwhile read -r mode line; do [ "$mode" != "$2" ] || echo "$line"; done < %s/values\n' "$PWD" > tests/gallery/values
    chmod +x tests/gallery/values
}

# found VALUE...: what is said of the pairs, without the day and the version.
found() { printf '%s\n' "$@" > values; gallery run 2> /dev/null | cut -f 4-; }

@test "a program is right where its numbers are those of a native run, and only there" {
    false_gallery 'openmpi mpich'
    [ "$(found 'openmpi sum 1.0' 'mpich sum 2.0' 'openmpi-to-mpich sum 1.0000005' 'mpich-to-openmpi sum 2.0')" = \
        $'openmpi-to-mpich\topenmpi\t1\t5e-07\tright\nmpich-to-openmpi\tmpich\t1\t0\tright' ]
    day=$(sed -n 's/^one\t\([^\t]*\)\t[^\t]*\topenmpi-.*/\1/p' tests/gallery/results.tsv)
    [[ $day =~ ^20[0-9][0-9]-[0-9][0-9]-[0-9][0-9]$ ]]
    version=$(sed -n 's/^one\t[^\t]*\t\([^\t]*\)\topenmpi-.*/\1/p' tests/gallery/results.tsv)
    grep -xF "| The program | $version | Open MPI | MPICH | its sum | 1 | 5e-07 | $day |" docs/gallery.md
    gallery check
    [[ $(found 'openmpi sum 1.0' 'mpich sum 2.0' 'openmpi-to-mpich sum 1.00001' 'mpich-to-openmpi other 2.0') == \
        *$'\tdiffers from the native run\n'*$'\tother values than natively' ]]
    [[ $(found 'openmpi sum 1.0' 'openmpi-to-mpich sum nan' 'mpich-to-openmpi sum 1.0') == \
        *$'\tdiffers from the native run\nmpich-to-openmpi\topenmpi\t1\t0\tright' ]]
    grep -q 'its sum; natively it fails: compared with the program for Open MPI' docs/gallery.md
    [[ $(found 'openmpi sum 1.0' 'mpich sum 1.0') == *$'\tfails\n'*$'\tfails' ]]
    run ! gallery run
    echo more >> docs/gallery.md
    run gallery check
    [ "$status" -eq 1 ]
    [[ $output == *'docs/gallery.md: error: it is not what results.tsv says; run tests/gallery/gallery.py page' ]]
    run gallery run two
    [ "$status" -eq 2 ]
}

@test "a program's file prepares it, starts it natively and adapted, and finds its numbers" {
    [ -d /usr/lib/python3/dist-packages/mpi4py ] || skip "mpi4py is not installed"
    "$BATS_TEST_DIRNAME/values" mpi4py openmpi > native
    "$BATS_TEST_DIRNAME/values" mpi4py openmpi-to-mpich > adapted
    grep -x 'as-serial 1' native
    diff native adapted
}
