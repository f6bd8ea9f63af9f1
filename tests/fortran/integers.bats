#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# The integers of handles through each pair, and through one adapter after the other.

setup() {
    here=$(cd "$BATS_TEST_DIRNAME" && pwd)
    top=$(cd "$here/../.." && pwd)
    build=$(cd "${BUILD:-$top/build}" && pwd)
    BUILD=$build
    . "$top/tests/components.bash"
    choose_windows
    cd "$BATS_TEST_TMPDIR"
    export MPI_TEST_DIR=$PWD
}

# predefined FAMILY: the lines of predefined.h, each handle with its integer in mpif.h, or in the standard ABI.
predefined() {
    cat "$top"/abi-tables/"$1"-*/fortran > values
    awk '/^#/ || $2 !~ /^MPI_[A-Z][a-z]+$/ || $1 ~ /_(FN|FUNCTION)$/ { next }
        $3 != "address" && $3 != "int" && $3 != "pointer" || $2 == "MPI_Status" { next }
        { print $1, substr($2, 5) == "Datatype" ? "Type" : substr($2, 5), $3 == "pointer" ? $4 : "UNKNOWN" }' \
        "$top"/abi-tables/"$1"-*/constants | sort -u > handles
    while read -r name class integer; do
        [ "$integer" != UNKNOWN ] ||
            integer=$(awk -v name="$name" '$1 == name { value = $3 } END { print value }' values)
        printf '#ifdef %s\nPREDEFINED(%s, %s, %s)\n#endif\n' "$name" "$class" "$name" "${integer:-UNKNOWN}"
    done < handles
}

# integers CHAIN: the program of the chain's first family, run on its last.
integers() {
    local chain=$1 family=${1%%-to-*} path= rest flags=()
    predefined "$family" > predefined.h
    [ "$(grep -c '^PREDEFINED' predefined.h)" -gt 90 ]
    [ "$family" != mpiabi ] || flags=(-DSTANDARD_ABI)
    while [[ $chain == *-to-* ]]; do
        rest=${chain#*-to-}
        path+=$build/lib/mpi-adapter/${chain%%-to-*}-to-${rest%%-to-*}:
        chain=$rest
    done
    "${CC:-gcc}" -std=gnu11 -O1 -g -Wall -w "${flags[@]}" -I. -I"$build/include/$family" -o "$1" "$here/integers.c" \
        "${path%%:*}/$(sed -n 's/^preload = //p' "${path%%:*}/pair.conf")" -Wl,--allow-shlib-undefined
    [ "$(run_on "$chain" "$path" "./$1")" = "ok integers" ]
}

# run_on FAMILY LD_LIBRARY_PATH PROGRAM
run_on() {
    if [ "$1" = openmpi ]; then
        timeout 60 mpiexec.openmpi -x LD_LIBRARY_PATH="$2" -n 2 "$3" < /dev/null
    else
        timeout 60 mpiexec.mpich -genv LD_LIBRARY_PATH "$2" -n 2 "$3" < /dev/null
    fi
}

@test "handles lead to integers and back through each pair whose host is here" {
    pairs=$(sed '/^#/d; /-to-mpiabi$/d' "$top/abi-tables/pairs")
    [ "$(wc -l <<< "$pairs")" -ge 4 ]
    for pair in $pairs; do
        integers "$pair"
    done
}

@test "handles lead to integers and back through one adapter after the other" {
    integers openmpi-to-mpiabi-to-mpich
    integers mpich-to-mpiabi-to-openmpi
}
