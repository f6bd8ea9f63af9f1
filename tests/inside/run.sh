#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# Run test programs that have MPICH linked in on Open MPI.
#
#   run.sh c [PROGRAM...]                         as tests/c/run.sh says
#   run.sh fortran [PROGRAM[.INTERFACE]...]       as tests/fortran/run.sh says
#
# The programs are those of these folders, compiled by compiler and started by mpiexec. They are in a build folder of their own. With
# OPENMPI_STATIC=PREFIX, of an Open MPI 4 built with --disable-shared --enable-static, they have that one linked in and run on MPICH; with
# OPENMPI_STATIC=mock they have an archive linked in that has no more of it than its names.
set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
top=$(cd "$here/../.." && pwd)
real=$(cd "$top" && realpath -ms "${BUILD:-build}")
export BUILD=$real/tests/inside${OPENMPI_STATIC:+.openmpi.$(basename "$OPENMPI_STATIC")}
mkdir -p "$BUILD/tools"
for folder in lib include bin; do
    [ ! -e "$real/$folder" ] || ln -sfn "$real/$folder" "$BUILD/$folder"
done
for name in mpicc mpicxx mpifort; do
    ln -sfn "$here/compiler" "$BUILD/tools/$name"
done
if [ -n "${OPENMPI_STATIC-}" ]; then
    export OPENMPI_CC=$BUILD/tools/mpicc OPENMPI_CXX=$BUILD/tools/mpicxx OPENMPI_FORT=$BUILD/tools/mpifort MPICH_EXEC=$here/mpiexec
    mode=openmpi-to-mpich
    [ "$OPENMPI_STATIC" != mock ] || "$here/mock" "$BUILD/tools/libmock.a" openmpi "$real/lib/mpi-adapter/$mode"/libmpi{,_mpifh,_usempi_ignore_tkr,_usempif08}.so.40 ||
        exit
else
    export MPICH_CC=$BUILD/tools/mpicc MPICH_CXX=$BUILD/tools/mpicxx MPICH_FORT=$BUILD/tools/mpifort OPENMPI_EXEC=$here/mpiexec
    mode=mpich-to-openmpi
fi

# Tools bring the pair's library themselves, ahead of what the program has.
language=$1
shift
if [ "$language" = c ] && [ $# -eq 0 ]; then
    with_tools=$(grep -l '^/\* preload: ' "$top"/tests/c/*.c "$top"/tests/c/mpi4/*.c)
    for source in "$top"/tests/c/*.c "$top"/tests/c/mpi4/*.c; do
        grep -qxF "$source" <<< "$with_tools" || set -- "$@" "$(basename "$source" .c)"
    done
    echo "left out, as they have a tool preloaded: $(basename -as .c $with_tools | paste -sd ' ')"
fi
"$top/tests/$language/run.sh" "$mode" "$@"
