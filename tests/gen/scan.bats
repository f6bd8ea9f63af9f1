#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# The scanner: golden tables of fake implementations, and what it refuses.
#   make check-gen
# After a wanted change of the format: UPDATE_GOLDEN=1 make check-gen, then review the difference.

bats_require_minimum_version 1.5.0

setup()
{
    load common
}

# The scanned table equals the golden one.
golden()
{
    if [ -n "$UPDATE_GOLDEN" ]; then
        rm -rf "$TESTS/golden/$1"
        cp -r "$BATS_TEST_TMPDIR/table" "$TESTS/golden/$1"
    fi
    diff -ru "$TESTS/golden/$1" "$BATS_TEST_TMPDIR/table"
}

# A header that is the tiny one with a line added, in the folder `changed`.
changed_header()
{
    mkdir -p "$BATS_TEST_TMPDIR/changed"
    { cat "$TESTS/tiny/mpi.h"; printf '%s\n' "$1"; } > "$BATS_TEST_TMPDIR/changed/mpi.h"
}

scan_changed()
{
    changed_header "$1"
    run -1 --separate-stderr "$PYTHON" "$GEN/scan.py" --mpicc "cc -I$BATS_TEST_TMPDIR/changed" \
        --release tiny-1.0 --output "$BATS_TEST_TMPDIR/table"
    [ ! -e "$BATS_TEST_TMPDIR/table" ]
}

@test "a tiny implementation gives its golden table" {
    scan_tiny
    golden tiny
}

@test "a realistic implementation gives its golden table" {
    command -v gfortran || skip "no gfortran"
    scan_realistic --mpifort "gfortran -I$TESTS/realistic"
    golden realistic
}

@test "a scanned table can be read back, and scanned again like itself" {
    scan_tiny
    run -0 "$PYTHON" "$TESTS/load.py" "$BATS_TEST_TMPDIR/table"
    [ "$output" = "tiny 1.0" ]
    mv "$BATS_TEST_TMPDIR/table" "$BATS_TEST_TMPDIR/first"
    scan tiny --like "$BATS_TEST_TMPDIR/first" --package tiny=1.0-2 \
        --mpicc "cc -B$BATS_TEST_TMPDIR/ -I$TESTS/tiny"
    diff -r "$BATS_TEST_TMPDIR/first" "$BATS_TEST_TMPDIR/table"
}

@test "the release of a header is printed" {
    run -0 "$PYTHON" "$GEN/scan.py" --print-release --mpicc "cc '-I$TESTS/realistic'"
    [ "$output" = openmpi-4.9.2 ]
}

@test "a header of another release is refused and nothing is written" {
    run -1 --separate-stderr scan realistic --release openmpi-4.1.4
    [[ $stderr == *"realistic/mpi.h: error: this is openmpi-4.9.2, not openmpi-4.1.4" ]]
    [ ! -e "$BATS_TEST_TMPDIR/table" ]
}

@test "an error leaves an earlier table as it was" {
    scan_tiny
    cp -r "$BATS_TEST_TMPDIR/table" "$BATS_TEST_TMPDIR/first"
    run -1 scan tiny --release tiny-2.0 --library "$BATS_TEST_TMPDIR/missing.so"
    diff -r "$BATS_TEST_TMPDIR/first" "$BATS_TEST_TMPDIR/table"
}

@test "a folder that cannot be replaced is an error, and no other is left behind" {
    echo "not a folder" > "$BATS_TEST_TMPDIR/table"
    run -1 --separate-stderr scan tiny --release tiny-1.0
    [ "$stderr" = "$BATS_TEST_TMPDIR/table: error: cannot write: Not a directory" ]
    [ -z "$(find "$BATS_TEST_TMPDIR" -name '.scan-*')" ]
}

@test "a missing library is refused" {
    run -1 --separate-stderr scan tiny --release tiny-1.0 --library libmissing-here.so.1
    [ "$stderr" = "libmissing-here.so.1: error: no such library" ]
    [ ! -e "$BATS_TEST_TMPDIR/table" ]
}

@test "a library that is no ELF file, or a damaged one, is refused" {
    local library=$BATS_TEST_TMPDIR/libtext.so
    echo 'INPUT(libtext.so.1)' > "$library"
    run -1 --separate-stderr scan tiny --release tiny-1.0 --library "$library"
    [ "$stderr" = "$library: error: not an ELF file, or a damaged one: Magic number does not match" ]
    : > "$BATS_TEST_TMPDIR/empty.c"
    cc -shared -o "$BATS_TEST_TMPDIR/whole" "$BATS_TEST_TMPDIR/empty.c"
    head -c 70 "$BATS_TEST_TMPDIR/whole" > "$library"
    run -1 --separate-stderr scan tiny --release tiny-1.0 --library "$library"
    [[ $stderr == "$library: error: not an ELF file, or a damaged one: "* ]]
    [ ! -e "$BATS_TEST_TMPDIR/table" ]
}

@test "a missing compiler is refused" {
    run -1 --separate-stderr "$PYTHON" "$GEN/scan.py" --mpicc no-such-compiler --release a-1 \
        --output "$BATS_TEST_TMPDIR/table"
    [ "$stderr" = "no-such-compiler: error: cannot run: No such file or directory" ]
}

@test "a missing header is refused" {
    run -1 --separate-stderr scan tiny --release tiny-1.0 --header no-such-header.h
    [[ $stderr == *"error: failed: "*"no-such-header.h: No such file or directory" ]]
    [ ! -e "$BATS_TEST_TMPDIR/table" ]
}

@test "a header that C cannot parse is refused" {
    scan_changed 'typedef __typeof__(1) MPI_Aint;'
    [[ $stderr == *"changed/mpi.h: error: cannot parse: "* ]]
}

@test "a constant whose value is not known at compile time is refused" {
    scan_changed '#define MPI_STRANGE MPI_Barrier(0)'
    [[ $stderr == *"changed/mpi.h: error: MPI_STRANGE is neither a constant nor a variable" ]]
}

@test "a constant that is neither a number nor an address is refused" {
    scan_changed '#define MPI_STRANGE 1.5'
    [[ $stderr == *"changed/mpi.h: error: constant MPI_STRANGE is neither a number nor an address" ]]
}

@test "a header without the standard's version is refused" {
    scan_changed '#undef MPI_SUBVERSION'
    [[ $stderr == *"changed/mpi.h: error: no constant MPI_SUBVERSION" ]]
}

@test "a header without MPI_Status is refused" {
    mkdir -p "$BATS_TEST_TMPDIR/changed"
    sed '/MPI_Status/d' "$TESTS/tiny/mpi.h" > "$BATS_TEST_TMPDIR/changed/mpi.h"
    run -1 --separate-stderr "$PYTHON" "$GEN/scan.py" --mpicc "cc -I$BATS_TEST_TMPDIR/changed" \
        --release tiny-1.0 --output "$BATS_TEST_TMPDIR/table"
    [[ $stderr == *"changed/mpi.h: error: no structure MPI_Status" ]]
}
