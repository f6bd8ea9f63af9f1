#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# INOUT handles through each pair whose host is here.

setup() {
    here=$(cd "$BATS_TEST_DIRNAME" && pwd)
    top=$(cd "$here/../.." && pwd)
    build=$(cd "${BUILD:-$top/build}" && pwd)
    BUILD=$build
    . "$top/tests/components.bash"
    export XDG_CACHE_HOME=$BATS_TEST_TMPDIR/cache
    cd "$BATS_TEST_TMPDIR"
}

# compiled FAMILY INTERFACE COMPILER FLAG...: the program, in FAMILY.INTERFACE.
compiled() {
    "${@:3}" -cpp -w -fallow-argument-mismatch -ffree-line-length-none -DINTERFACE="$2" -I"$here" -o "$1.$2" "$here/inout.f90"
}

@test "a handle that a call does not change is not stored: a constant, and a request that a callback replaced" {
    local pair program ran=0
    compiled openmpi 77 mpifort.openmpi
    for interface in 77 90; do
        compiled mpich "$interface" mpifort.mpich
        compiled mpiabi "$interface" "$build/bin/mpifort_abi" -DSESSIONS
    done
    for pair in $(sed '/^#/d; /-to-mpiabi$/d' "$top/abi-tables/pairs"); do
        for program in "${pair%%-to-*}".*; do
            run env LD_LIBRARY_PATH="$build/lib/mpi-adapter/$pair" timeout 60 "./$program"
            echo "$pair $program: $output"
            [ "$status" -eq 0 ]
            [[ $output == "ok inout: "* ]]
            ran=$((ran + 1))
        done
    done
    [ "$ran" -eq 7 ]
}
