# SPDX-License-Identifier: BSD-3-Clause
# Shared by the Bats files about the standard ABI: folders, and how programs of it are built and run.
# shellcheck disable=SC2034  # used where this is loaded

bats_require_minimum_version 1.5.0

top=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
here=$BATS_TEST_DIRNAME
build=$(cd "${BUILD:-$top/build}" && pwd)
pairs=$build/lib/mpi-adapter
CC=${CC:-gcc}

unset MPI_ADAPTER_HOST_LIBRARY MPI_ADAPTER_VERBOSE MPI_ADAPTER_PRELOAD LD_PRELOAD LD_LIBRARY_PATH
BUILD=$build
. "$top/tests/components.bash"

# pairs_of SIDE: the pairs whose application (1) or host (2) has the standard ABI.
pairs_of() {
    sed '/^#/d' "$top/abi-tables/pairs" | awk -F -to- -v side="$1" '$side == "mpiabi"'
}

# abi_program OUTPUT ARGUMENT...: an MPI program, compiled and linked for the standard ABI.
abi_program() {
    local output=$1
    shift
    "$CC" -O0 -g1 -Wall -I "$build/include/mpiabi" -o "$output" "$@" -L "$pairs/mpiabi-to-mpich" -l:libmpi_abi.so.1
}

# on FOLDERS RANKS COMMAND...: with the libraries of one pair, or of several where one is the next one's host, on the
# last one's host.
on() {
    local path= pair ranks=$2
    for pair in $1; do
        path+=${path:+:}$pairs/$pair
    done
    shift 2
    case $pair in
    *-to-openmpi) timeout 120 mpiexec.openmpi -x LD_LIBRARY_PATH="$path" -n "$ranks" "$@" ;;
    *-to-mpich) timeout 120 mpiexec.mpich -n "$ranks" env LD_LIBRARY_PATH="$path" "$@" ;;
    esac
}

# soname FAMILY: of its library for C.
soname() {
    awk -v family="$1" '$1 == family && $2 == "soname" { print $3 }' "$top/abi-tables/families"
}
