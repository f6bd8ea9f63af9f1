#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# The programs of this folder, whose output is what they observe, in a process that is alone.
#
#   run.sh MODE...     MODE is a family or a pair (tests/families.bash)
#
# What a program prints is in $BUILD/tests/conformance/MODE/PROGRAM, with its exit status in the last line.
set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
top=$(cd "$here/../.." && pwd)
: "${BUILD:=$top/build}" "${CC:=gcc}"
BUILD=$(realpath -m "$BUILD")
results=$BUILD/tests/conformance
. "$top/tests/components.bash"
export OMPI_MCA_btl=self
choose_windows

# build FAMILY: its programs, linked to the library of a pair, whose soname is the native one's, too.
build() {
    local family=$1 library source program
    library=$BUILD/lib/mpi-adapter/$(pair_modes | sed -n "/^$family-to-/{p;q}")/$(family_fact "$family" soname)
    mkdir -p "$results/programs/$family"
    make -s -C "$top" BUILD="$BUILD" "$BUILD/include/$family/mpi.h" >&2 || return
    for source in "$here"/*.c; do
        program=$results/programs/$family/$(basename "$source" .c)
        [ "$program" -nt "$source" ] && [ "$program" -nt "$here/observe.h" ] ||
            "$CC" -std=gnu11 -fPIC -Wall -Wno-deprecated-declarations -Wno-stringop-overread -I "$BUILD/include/$family" -o "$program.new" "$source" "$library" -Wl,-z,lazy -ldl &&
            mv "$program.new" "$program" 2> /dev/null || [ -e "$program" ] || return
    done
}

run() {
    local mode=$1 family=${1%%-to-*} paths='' folder program
    [[ $mode != *-to-* ]] || paths=$BUILD/lib/mpi-adapter/$mode
    mkdir -p "$results/$mode"
    folder=$(mktemp -d)
    for program in "$results/programs/$family"/*; do
        (cd "$folder" && LD_LIBRARY_PATH=$paths${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} timeout 120 "$program" 2> stderr
            printf 'exit\t%d\n' "$?") > "$results/$mode/${program##*/}"
    done
    rm -rf "$folder"
}

for mode; do
    build "${mode%%-to-*}" && run "$mode" || exit 1
done
