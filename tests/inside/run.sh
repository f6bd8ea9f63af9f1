#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# Run test programs that have MPICH linked in on Open MPI.
#
#   run.sh c [PROGRAM...]                         as tests/c/run.sh says
#   run.sh fortran [PROGRAM[.INTERFACE]...]       as tests/fortran/run.sh says
#
# The programs are those of these folders, compiled by compiler and started by mpiexec. They are in a build folder of their own.
set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
top=$(cd "$here/../.." && pwd)
real=$(cd "$top" && realpath -ms "${BUILD:-build}")
export BUILD=$real/tests/inside
mkdir -p "$BUILD/tools"
for folder in lib include bin; do
    [ ! -e "$real/$folder" ] || ln -sfn "$real/$folder" "$BUILD/$folder"
done
for name in mpicc mpicxx mpifort; do
    ln -sfn "$here/compiler" "$BUILD/tools/$name"
done
export MPICH_CC=$BUILD/tools/mpicc MPICH_CXX=$BUILD/tools/mpicxx MPICH_FORT=$BUILD/tools/mpifort OPENMPI_EXEC=$here/mpiexec

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
"$top/tests/$language/run.sh" mpich-to-openmpi "$@"
