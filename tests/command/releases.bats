#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# Whose program it is, as programs of every scanned release tell, without the header or the library of any: those are made of
# the tables.

load real_mpis

setup_file() {
    "$BATS_TEST_DIRNAME/release_programs.py" "$BATS_FILE_TMPDIR/made" > "$BATS_FILE_TMPDIR/programs"
}

setup() {
    clean_environment
    export XDG_CACHE_HOME=$BATS_TEST_TMPDIR/cache
    programs=$BATS_FILE_TMPDIR/programs
    cd "$BATS_TEST_TMPDIR"
}

# answers WHOSE [FOLDER]: "FAMILY ANSWER PROGRAM" for each program with such names whose libraries are in FOLDER, or missing
# without it. ANSWER is the ABI that the command takes it for, or `refused` with the candidates.
answers() {
    local program family whose folder line chosen=() families=()
    while IFS=$'\t' read -r program family whose folder; do
        [ "$whose" = "$1" ] && [ "${2-$folder}" = "$folder" ] || continue
        chosen+=("$program") families+=("$family")
    done < "$programs"
    LD_LIBRARY_PATH=${2-} "$adapter" check --json "${chosen[@]}" > said || [ $? -le 2 ]
    for program in "${!chosen[@]}"; do
        line=$(grep -F "{\"program\": \"${chosen[program]}\"," said)
        printf '%s %s %s\n' "${families[program]}" "$(answer_of "$line")" "${chosen[program]}"
    done
}

answer_of() {
    case $1 in
    *'"abi": null'*'may be a program of '*) sed 's/.*may be a program of \([^;"]*\).*/refused:\1/; s/ or /,/g' <<< "$1" ;;
    *) sed 's/.*"abi": "\([a-z]*\)".*/\1/' <<< "$1" ;;
    esac
}

# all_are_right FILE: each is taken for what it is, or refused with that among the candidates.
all_are_right() {
    cat "$1"
    [ -s "$1" ] || return
    ! awk '$1 != $2 && !($2 ~ /^refused:/ && ("," substr($2, 9) ",") ~ ("," $1 ",")) { print "wrong: " $0; found = 1 } END { exit !found }' "$1"
}

@test "programs of every release are known by their own names, where nothing of it is installed" {
    answers own > own
    all_are_right own
    [ "$(grep -c . own)" -eq "$(awk -F '\t' '$3 == "own"' "$programs" | wc -l)" ]
    run ! grep refused own
    # Every table has made some.
    for table in "$top"/abi-tables/*-[0-9]*; do
        grep "/${table##*/}/own/" own
    done
}

@test "by names that nobody knows they are taken for what they are, or refused with it among the candidates" {
    answers unknown > unknown
    all_are_right unknown
    # Data of their own, and Fortran's constants, tell.
    [ "$(awk '$2 == "openmpi" && /\/c\./' unknown | wc -l)" -eq "$(awk '$1 == "openmpi" && /\/c\./' unknown | wc -l)" ]
    [ -z "$(awk '$2 ~ /refused/ && /\/mpif\./' unknown)" ]
    # Calls alone do not.
    [ -z "$(awk '$1 == "mpich" && /\/c\./ && $2 !~ /refused:.*mpich/' unknown)" ]
}

@test "and where the library is there by that name, it tells" {
    cut -f 3,4 "$programs" | sed -n 's/^unknown\t//p' | sort -u | while read -r folder; do
        answers unknown "$folder"
    done > there
    all_are_right there
    # A library that has the standard ABI shows nothing of its own; its families do.
    [ -z "$(awk '$1 != "mpiabi" && $2 ~ /refused/' there)" ]
}
