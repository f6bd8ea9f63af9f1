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

has_both() {
    local name
    for name in mpicc.mpich mpicc.openmpi mpiexec.mpich mpiexec.openmpi; do
        type -P $name > /dev/null || return 1
    done
}

# asked WORD...: the command.
asked() { run --separate-stderr timeout 300 "$build/bin/mpi-adapter" "$@"; echo "$status: $output $stderr"; }

# Archives with all names of either MPI, which libraries can be linked with, too: mpich.a and openmpi.a in this folder. And `hiding`, by which
# solver.c's library shows nothing of MPI.
make_archives() {
    local pairs=$build/lib/mpi-adapter
    "$BATS_TEST_DIRNAME/mock" openmpi.a openmpi "$pairs"/openmpi-to-mpich/libmpi{,_mpifh,_usempi_ignore_tkr,_usempif08}.so.40
    "$BATS_TEST_DIRNAME/mock" mpich.a mpich "$pairs"/mpich-to-openmpi/lib{mpich,mpichfort}.so.12
    echo '{ global: solve; finish; local: *; };' > hiding
}

# Words with which mpicc of `family` finds mpi.h.
includes() { "mpicc.$family" -show | grep -oE '(^| )-I[^ ]+'; }

# make_library FAMILY NAME OPTION...: solver.c's, with the archive inside.
make_library() {
    local family=$1
    $cc -w -shared -fPIC -DSOLVER $(includes) "${@:3}" -o "lib$2.$family.so" "$BATS_TEST_DIRNAME/solver.c" "$family.a"
}

# make_program FAMILY NAME LIBRARY OPTION...: solver.c's, which needs the library.
make_program() {
    local family=$1
    $cc -w $(includes) -o "$2.$family" "$BATS_TEST_DIRNAME/solver.c" -L. "-l:lib$3.$family.so" -Wl,-rpath,"$PWD" "${@:4}"
}
