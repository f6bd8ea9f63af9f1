# SPDX-License-Identifier: BSD-3-Clause
# Paths of the benchmark, and how its programs are compiled; sourced.
# shellcheck disable=SC2034  # used where this is sourced

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
top=$(cd "$here/.." && pwd)
: "${BUILD:=$top/build}" "${PYTHON:=/usr/bin/python3}"
BUILD=$(cd "$BUILD" && pwd)
export BUILD PYTHON

# soname FAMILY: of the library that a program of this family needs.
soname() {
    sed -n "s/^$1 soname //p" "$top/abi-tables/families"
}

# pairs [APPLICATION]: all, or those of an application.
pairs() {
    sed '/^#/d' "$top/abi-tables/pairs" | sed -n "/^${1:-.*}-to-/p"
}

# is_implementation FAMILY: its ABI is one implementation's, which may be on this machine.
is_implementation() {
    sed '/^#/d' "$top/abi-tables/implementations" | cut -d' ' -f1 | sort -u | grep -x "$1" > /dev/null
}

# native_pairs: those that can be compared with native programs, on either side.
native_pairs() {
    pairs | while read -r pair; do
        ! is_implementation "${pair%-to-*}" || ! is_implementation "${pair#*-to-}" || echo "$pair"
    done
}

# stack_of PAIR: it, and the pair that stands in for its host where that is no implementation.
stack_of() {
    echo "$1"
    is_implementation "${1#*-to-}" || pairs "${1#*-to-}" | grep -v -- "-to-${1%-to-*}$" | sed 1q
}

# has_fortran PAIR: it has libraries for Fortran, or leads to the one that is made for its application's ABI.
has_fortran() {
    local names library
    read -ra names < <(sed -n 's/^fortran = //p' "$BUILD/lib/mpi-adapter/$1/pair.conf"
        sed -n "s/^${1%%-to-*} fortran_made //p" "$top/abi-tables/families")
    for library in "${names[@]}"; do
        [ -e "$BUILD/lib/mpi-adapter/$1/$library" ] || return 1
    done
    [ "${#names[@]}" -gt 0 ]
}

# compile FAMILY OUTPUT SOURCE...
compile() {
    local family=$1 output=$2 compiler=(env OMPI_CC="${CC:-gcc}" MPICH_CC="${CC:-gcc}" "mpicc.$1") libraries=()
    shift 2
    if ! is_implementation "$family"; then
        compiler=("${CC:-gcc}" -I"$BUILD/include/$family")
        libraries=(-L"$BUILD/lib/mpi-adapter/$(pairs "$family" | sed 1q)" -l:"$(soname "$family")")
    fi
    "${compiler[@]}" -O2 -g -Wall -Wextra -Wno-stringop-overflow -pthread -I"$here" -o "$output" "$@" "${libraries[@]}"
}

# compile_fortran FAMILY OUTPUT INTERFACE: fortran.f90 by one of its interfaces.
fortran_interfaces=(mpif usempi f08)
compile_fortran() {
    local compiler=mpifort.$1
    is_implementation "$1" || compiler=$BUILD/bin/mpifort_abi
    "${CC:-gcc}" -O2 -g -c -o "$2.counted.o" "$here/counted.c"
    "$compiler" -O2 -g -cpp -w -fallow-argument-mismatch "-DINTERFACE_$3" -J "$(dirname "$2")" -o "$2" "$here/fortran.f90" \
        "$2.counted.o"
    rm -f "$2.counted.o"
}

# compile_pingpong FAMILY FOLDER: the exchanges of both languages.
compile_pingpong() {
    compile "$1" "$2/pingpong_c.$1" "$here/pingpong.c" "$here/pingpong_times.c"
    "${CC:-gcc}" -O2 -g -I"$here" -c -o "$2/pingpong_times.o" "$here/pingpong_times.c"
    "mpifort.$1" -O2 -g -J "$2" -o "$2/pingpong_fortran.$1" "$here/pingpong.f90" "$2/pingpong_times.o"
    rm -f "$2/pingpong_times.o"
}
