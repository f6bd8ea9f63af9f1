#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# The programs of this folder, whose output is what they observe. A source that says "ranks: N" is started with so many
# processes by the host's launcher, each of which writes a file of its own; others are processes that are alone.
#
#   run.sh MODE...     MODE is a family or a pair (tests/families.bash)
#
# What a program prints is in $BUILD/tests/conformance/MODE/PROGRAM, with its exit status in the last line. JOBS programs
# run at a time, those in C named in PROGRAMS, or all.
set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
top=$(cd "$here/../.." && pwd)
: "${BUILD:=$top/build}" "${CC:=gcc}" "${TEST_TIMEOUT:=120}" "${JOBS:=2}" "${PROGRAMS:=}"
BUILD=$(realpath -m "$BUILD")
results=$BUILD/tests/conformance
. "$top/tests/components.bash"
choose_windows

# directive SOURCE KEY: the value of "KEY: VALUE" in a comment of its own.
directive() { sed -nE "s,^(/\*|!) $2: ([^*]*[^* ]).*,\2,p" "$1"; }

# A family's program in C is linked to the library of a pair, whose soname is the native one's, too.
library_of() { echo "$BUILD/lib/mpi-adapter/$(pair_modes | sed -n "/^$1-to-/{p;q}")/$(family_fact "$1" soname)"; }

# fresh FILE SOURCE: was it made after the last change of what it is made from?
fresh() {
    local source
    for source in "$2" "$here"/*.h; do
        [ "$1" -nt "$source" ] || return 1
    done
}

# build_c FAMILY PROGRAM and build_fortran FAMILY PROGRAM.INTERFACE
build_c() {
    local program=$results/programs/$1/$2
    fresh "$program" "$here/$2.c" ||
        "$CC" -std=gnu11 -D_GNU_SOURCE -fPIC -Wall -Wno-deprecated-declarations -Wno-stringop-overread -I "$BUILD/include/$1" -o "$program.new" "$here/$2.c" \
            "$(library_of "$1")" -Wl,-z,lazy -ldl && { [ ! -e "$program.new" ] || mv "$program.new" "$program"; }
}
build_fortran() {
    local program=$results/programs/$1/$2
    fresh "$program" "$here/${2%.*}.F90" && return
    mkdir -p "$program.modules"
    $(tool "$1" FORT mpifort) -cpp -O0 -w -ffree-line-length-none -fallow-argument-mismatch -DINTERFACE="${2##*.}" -I "$top/tests/fortran" \
        -J "$program.modules" "$here/${2%.*}.F90" -o "$program.new" && mv "$program.new" "$program"
}

# programs_of FAMILY: those in C, and those in Fortran by each interface, where the family has a compiler for it.
programs_of() {
    local source
    for source in "$here"/*.c; do
        [[ -n $PROGRAMS && " $PROGRAMS " != *" $(basename "$source" .c) "* ]] || basename "$source" .c
    done
    type -P "$(tool "$1" FORT mpifort)" > /dev/null || return 0
    for source in "$here"/*.F90; do
        [[ -n $PROGRAMS && " $PROGRAMS " != *" $(basename "$source" .F90) "* ]] || printf '%s.%s\n' "$(basename "$source" .F90)" 77 "$(basename "$source" .F90)" 2008
    done
}

# start MODE PROGRAM: in the folder that is current; prints what its processes print.
start() {
    local host program source=$here/$2.c ranks settings=()
    host=$(host_of "$1") program=$results/programs/$(family_of "$1")/$2
    [ -e "$source" ] || source=$here/${2%.*}.F90
    ranks=$(directive "$source" ranks)
    mapfile -t settings < <(paths_of "$1")
    settings+=("CONFORMANCE_HOST=$host")
    if [ -n "$ranks" ]; then
        start_ranks "$host" "$ranks" "${settings[@]}" -- "$program" > stdout 2> stderr
    else
        env OMPI_MCA_btl=self "${settings[@]}" timeout -k 5 "$TEST_TIMEOUT" "$program" 2> stderr
    fi
    printf 'exit\t%d\n' "$?" > end
    shopt -s nullglob
    cat rank.* end
}

# one MODE PROGRAM: builds and runs it.
one() {
    local folder
    if [[ $2 == *.* ]]; then build_fortran "$(family_of "$1")" "$2"; else build_c "$(family_of "$1")" "$2"; fi || exit
    folder=$(mktemp -d)
    (cd "$folder" && start "$1" "$2") > "$results/$1/$2"
    rm -rf "$folder"
}

if [ "${1-}" = --one ]; then
    one "$2" "$3"
    exit
fi
for mode; do
    family=$(family_of "$mode")
    [ -n "$PROGRAMS" ] || rm -rf "${results:?}/$mode"
    mkdir -p "$results/$mode" "$results/programs/$family"
    make -s -C "$top" BUILD="$BUILD" "$BUILD/include/$family/mpi.h" >&2 || exit
    programs_of "$family" | xargs -r -P "$JOBS" -n 1 "$0" --one "$mode" || exit 1
done
