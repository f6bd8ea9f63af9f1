#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# The generator's services to `mpi-adapter build` and `explain`: the comparison of a new release with those that are known, and
# the list of a pair's procedures.

bats_require_minimum_version 1.5.0

setup()
{
    load common
    ROOT=$TESTS/../..
    FAKE=$TESTS/emit/tables
    cd "$BATS_TEST_TMPDIR"
}

# compare SCANNED: with the real tables.
compare()
{
    run --separate-stderr "$PYTHON" -B "$GEN/compare.py" --tables "$ROOT/abi-tables" --scanned "$1" --output joined
    echo "$output $stderr"
}

# release_like KNOWN NEW: a table of a new release with the contents of a known one.
release_like()
{
    cp -r "$ROOT/abi-tables/$1" "$2"
    sed -i "s/^release .*/release ${2%%-*} ${2#*-}/" "$2/release"
}

@test "every known release agrees with itself" {
    local folder
    for folder in "$ROOT"/abi-tables/{openmpi,mpich}-*/; do
        folder=${folder%/}
        rm -rf joined
        compare "$folder"
        [ "$status" -eq 0 ]
        [ "$output" = "agrees with the shipped table ${folder##*/}" ]
        diff -r "$ROOT/abi-tables" joined
    done
}

@test "the nearest release is the last one before it, or else the first" {
    release_like mpich-4.0.2 mpich-4.1.9
    compare mpich-4.1.9
    [ "$output" = 'agrees with the shipped table mpich-4.0.2' ]
    rm -r joined
    release_like mpich-3.4.1 mpich-3.2
    compare mpich-3.2
    [ "$output" = 'agrees with the shipped table mpich-3.4.1' ]
    diff -r mpich-3.2 joined/mpich-3.2
}

@test "differences are counted and named; what has no rule is left out of the joined table" {
    release_like mpich-4.0.2 mpich-4.0.9
    sed -i '/^MPI_ERR_RANK /d; $a MPIX_NOVELTY int int 9' mpich-4.0.9/constants
    sed -i '$a int MPIX_Novel(int a)' mpich-4.0.9/procedures
    sed -i '/ MPI_Ibarrier$/d' mpich-4.0.9/exports
    compare mpich-4.0.9
    [ "$status" -eq 0 ]
    [[ $output == *'1 more constants: MPIX_NOVELTY; 1 fewer constants: MPI_ERR_RANK; 1 more procedures: MPIX_Novel'* ]]
    [[ $output == *'1 procedures that its library lacks: MPI_Ibarrier'* ]]
    [[ $output == *'not known to MPI-Adapter, so left out: MPIX_NOVELTY, MPIX_Novel' ]]
    run ! grep NOVELTY joined/mpich-4.0.9/constants
    "$PYTHON" -B "$GEN/emit.py" --tables joined --templates "$ROOT/templates" --application openmpi --host mpich --output pair
}

@test "another ABI is refused, and nothing is written" {
    local file script name
    while IFS='|' read -r file script name; do
        rm -rf mpich-4.0.9
        release_like mpich-4.0.2 mpich-4.0.9
        sed -i "$script" "mpich-4.0.9/$file"
        run ! diff -rq "$ROOT/abi-tables/mpich-4.0.2/$file" "mpich-4.0.9/$file"
        compare mpich-4.0.9
        [ "$status" -eq 1 ]
        [[ $stderr == *"this is not the ABI of mpich: it differs from mpich-4.0.2 in "*"$name"* ]]
        [ ! -e joined ]
    done <<'TEXT'
constants|s/^MPI_ANY_SOURCE int int -2$/MPI_ANY_SOURCE int int -3/|MPI_ANY_SOURCE
constants|s/^\(MPI_INT .*\) [0-9]*$/\1 7/|MPI_INT
types|s/^MPI_Status size 20/MPI_Status size 24/|the size of MPI_Status
types|s/^MPI_Status.MPI_TAG offset 12/MPI_Status.MPI_TAG offset 16/|the place of MPI_TAG
TEXT
}

@test "the list of two made-up families' procedures" {
    "$PYTHON" -B "$GEN/listing.py" --tables "$FAKE" --templates "$ROOT/templates" --application alpha --host beta --output list/one
    diff - <(grep -v '^#' list/one) <<'TEXT'
MPIX_Fence converted MPI_Win_fence unsupported 1.0
MPI_Comm_compare converted MPI_Comm_compare required 1.0
MPI_Comm_get_name converted MPI_Comm_get_name required 1.0
MPI_Finalize converted MPI_Finalize required 1.0
MPI_Group_translate_ranks converted MPI_Group_translate_ranks required 1.0
MPI_Isend converted MPI_Isend required 1.0
MPI_Isend_c converted MPI_Isend_c built -
MPI_Recv converted MPI_Recv required 1.0
MPI_Recv_c converted MPI_Recv_c built -
MPI_Type_create_struct converted MPI_Type_create_struct required 1.0
MPI_Type_create_struct_c converted MPI_Type_create_struct_c unsupported -
MPI_Win_fence converted MPI_Win_fence unsupported 1.0
TEXT
}

@test "the list agrees with what the emitter builds" {
    "$PYTHON" -B "$GEN/emit.py" --tables "$ROOT/abi-tables" --templates "$ROOT/templates" \
        --host openmpi --output host
    "$PYTHON" -B "$GEN/listing.py" --tables "$ROOT/abi-tables" --templates "$ROOT/templates" \
        --application mpich --host openmpi --output list
    local name
    while read -r _ _ name stand_in _; do
        grep -q " (mpi_function \*)${stand_in}_$name;\$" host/stand_ins.c || { echo "$name is not $stand_in"; return 1; }
    done < <(awk '$4 == "built" || $4 == "unsupported"' list)
    [ "$(awk '$4 == "built" { print $3 }' list | sort -u | wc -l)" -gt 50 ]
    grep -q '^MPI_Finalized direct MPI_Finalized required ' list
    grep -q '^MPI_Send converted MPI_Send required ' list
}
