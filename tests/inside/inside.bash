# SPDX-License-Identifier: BSD-3-Clause
# Functions that the tests of programs with their MPI linked in share. Loaded by bats.

bats_require_minimum_version 1.5.0

# prepare FOLDER: makes the folder `work` of that name, the compiler of such programs in build/tests/inside/tools, and a program that has the
# names of an MPI and nothing else of it.
prepare() {
    local here=$BATS_TEST_DIRNAME
    export top=$(cd "$here/../.." && pwd)
    export build=$(cd "$top" && realpath -ms "${BUILD:-build}") BUILD
    . "$top/tests/components.bash"
    export cc="${CC:-cc} -O1 -Wall" work=$build/tests/inside/$1
    rm -rf "$work"
    mkdir -p "$work" "$build/tests/inside/tools"
    ln -sfn "$here/compiler" "$build/tests/inside/tools/mpicc"
    $cc -o "$work/false" "$here/false.c"
    export hello='early 0, rank 0 of 2, sums 3 3, wrapped 1, child 7, MPICH'
}

# Archives are in packages for development. Sets `archive`.
has_archives() {
    archive=$(mpicc.mpich -static-mpi -show 2> /dev/null | grep -oE '/[^ ]*/libmpich\.a') && [ -f "$archive" ]
}

need_archives() {
    type -P mpicc.mpich > /dev/null && type -P mpiexec.openmpi > /dev/null || skip 'MPICH or Open MPI is not here'
    has_archives || skip 'MPICH has no archive here'
}

# refuses TEXT: by one line, and nothing of the program ran.
refuses() {
    echo "$status: $output $stderr"
    [ "$status" -eq 1 ]
    [ -z "$output" ]
    [ "${#stderr_lines[@]}" -eq 1 ]
    [[ $stderr == "mpi-adapter: "*"$1"* ]]
}
