# SPDX-License-Identifier: BSD-3-Clause
#
# Compilers differ in the spelling of Fortran's entry points, and in .TRUE., which is 1 for gfortran and -1 for ifort. The program
# declares the entry points by hand.

bats_require_minimum_version 1.5.0

setup_file() {
    here=$(cd "$(dirname "$BATS_TEST_FILENAME")" && pwd)
    top=$(cd "$here/../.." && pwd)
    BUILD=$(cd "$top" && realpath -ms "${BUILD:-build}")
    export here BUILD
    . "$top/tests/components.bash"
    cd "$BATS_FILE_TMPDIR" || exit
    "${OPENMPI_CC:=mpicc.openmpi}" -Wall -g "$here/conventions.c" -o openmpi -lmpi_mpifh
    # MPICH has one spelling since 4.2, and the adapter all.
    if "${MPICH_CC:=mpicc.mpich}" -Wall -g "$here/conventions.c" -o mpich -lmpichfort 2> mpich.log; then
        export native_modes="openmpi mpich"
    else
        export native_modes=openmpi
        "$MPICH_CC" -Wall -g "$here/conventions.c" -o mpich "$BUILD/lib/mpi-adapter/mpich-to-openmpi/libmpichfort.so.12" \
            -Wl,--allow-shlib-undefined
    fi
    # The run-time libraries of other compilers, as far as their name.
    echo | gcc -shared -fPIC -Wl,-soname,libifcore.so.5 -o libifcore.so.5 -x c -
}

setup() { cd "$BATS_FILE_TMPDIR" || exit; }

# on HOST PROGRAM TRUTH [NAME=VALUE...]: natively without values, with a pair's libraries otherwise.
on() {
    local host=$1 program=$2 truth=$3 settings=() variable
    shift 3
    for variable in "$@"; do
        if [ "$host" = openmpi ]; then settings+=(-x "$variable"); else settings+=(-genv "${variable%%=*}" "${variable#*=}"); fi
    done
    if [ "$host" = openmpi ]; then
        timeout 60 mpiexec.openmpi -n 2 "${settings[@]}" "./$program" "$truth"
    else
        timeout 60 mpiexec.mpich -n 2 "${settings[@]}" "./$program" "$truth"
    fi
}
adapted() { on mpich openmpi "$1" LD_LIBRARY_PATH="$BUILD/lib/mpi-adapter/openmpi-to-mpich" "${@:2}"; }
reversed() { on openmpi mpich "$1" LD_LIBRARY_PATH="$BUILD/lib/mpi-adapter/mpich-to-openmpi" "${@:2}"; }

@test "entry points in four spellings, with gfortran's .TRUE., natively" {
    for family in $native_modes; do
        on "$family" "$family" 1
    done
}

@test "entry points in four spellings, with gfortran's .TRUE., through the adapter" {
    adapted 1
    reversed 1
}

@test "MPI_ADAPTER_FORTRAN names a compiler whose .TRUE. is -1" {
    adapted -1 MPI_ADAPTER_FORTRAN=ifort
    reversed -1 MPI_ADAPTER_FORTRAN=ifort
    adapted -1 MPI_ADAPTER_FORTRAN=nvfortran
    adapted 1 MPI_ADAPTER_FORTRAN=gfortran
}

@test "a compiler is told by its run-time library" {
    adapted -1 LD_PRELOAD="$BATS_FILE_TMPDIR/libifcore.so.5"
    reversed -1 LD_PRELOAD="$BATS_FILE_TMPDIR/libifcore.so.5"
}

@test "what the variable says comes before the library" {
    adapted 1 LD_PRELOAD="$BATS_FILE_TMPDIR/libifcore.so.5" MPI_ADAPTER_FORTRAN=gfortran
}

@test "with the wrong compiler the program's own checks fail" {
    run ! adapted -1
    run ! adapted 1 MPI_ADAPTER_FORTRAN=ifort
}

@test "an unknown compiler is refused with one line" {
    run -1 --separate-stderr adapted 1 MPI_ADAPTER_FORTRAN=f2c
    [ "$(grep -c '^mpi-adapter: MPI_ADAPTER_FORTRAN=f2c is not a known compiler; set it to one of ' <<< "$stderr")" -ge 1 ]
    run ! grep '^ok' <<< "$output"
}
