#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# Debian's programs in trees that bring their MPI and all their libraries: what make check-trees does with all, here with some that this
# machine has.

load ../pair.bash

setup() {
    cd "$BATS_TEST_TMPDIR"
}

# same_in_tree LAYOUT FAMILY PROGRAM...
same_in_tree() {
    local pair=$2-to-mpich program
    [ "$2" = openmpi ] || pair=$2-to-openmpi
    is_wanted "$pair" && is_native mpich && is_native openmpi || skip "needs both MPIs"
    for program in "${@:3}"; do
        [ -n "$(BUILD=$build "$here/plant" --find / "$2" "$(awk -F '\t' -v program="$program" -v family="$2" '$1 == program && $4 == family { print $5 }' "$here/applications.tsv")")" ] ||
            skip "$program is not installed"
    done
    BUILD=$build BASE=$PWD PROGRAMS="${*:3}" "$here/check" --this-machine "$1" "$2" > said || { cat said; return 1; }
    cat said
    [ "$(grep -c '^ok' said)" -eq $((4 * ($# - 2) + 1)) ]
}

@test "C and Fortran programs of MPICH, and of its libraries, compute the same in an adapted tree as conda lays them out" {
    same_in_tree conda mpich netpipe scalapack+
}

@test "a Fortran program of Open MPI, and of its libraries, computes the same in an adapted tree as Spack lays them out" {
    same_in_tree spack openmpi mumps+
}

@test "docs/trees.md names each program that make check-trees tries" {
    local name language what
    while IFS=$'\t' read -r _ name language family _ _ what; do
        grep -F "| $name | $language | " "$top/docs/trees.md" | grep -F "| $what |"
    done < <(sed '/^#/d' "$here/applications.tsv")
    [ "$(sed '/^#/d' "$here/applications.tsv" | cut -f 2 | sort -u | wc -l)" -ge 10 ]
}

@test "trees of newer releases than this machine's are left out, which is said" {
    local release codename newer=''
    codename=$(. /etc/os-release && echo "$VERSION_CODENAME")
    for release in bullseye bookworm trixie unstable; do
        [ -z "$newer" ] || echo "skip $release: not tried, as its C library is newer than that of $codename"
        [ "$release" != "$codename" ] || newer=yes
    done > expected
    BUILD=$PWD TREES='bullseye bookworm trixie unstable' LAYOUTS=' ' "$here/check" --here > said
    diff expected said
}
