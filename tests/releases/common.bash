# SPDX-License-Identifier: BSD-3-Clause
# Shared by compiling and running; sourced by programs that run in the root of a release. PROGRAMS in the environment is a pattern
# of names: nothing else is compiled and run.
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
top=$(cd "$here/../.." && pwd)
# The build that every release runs, which tests/families.bash calls BUILD.
base=$1
BUILD=$base/pairs
. "$top/tests/families.bash"
libraries=/usr/lib/$(uname -m)-linux-gnu

# mpi_fact MPI COLUMN: of mpis.tsv.
mpi_fact() { awk -F '\t' -v mpi="$1" -v column="$2" '$2 == mpi { print $column }' "$here/mpis.tsv"; }
compiler_fact() { awk -F '\t' -v application="$1" -v column="$2" '$2 == application { print $column }' "$here/compilers.tsv"; }
debian_of() { mpi_fact "$1" 1; }
# The programs of compilers.tsv have the standard ABI.
mpi_family() { if [ -n "$(compiler_fact "$1" 2)" ]; then echo mpiabi; else mpi_fact "$1" 3; fi; }
implementation_of() { mpi_fact "$1" 4; }
release_of() { mpi_fact "$1" 5; }
# applications_of DEBIAN: what compiles programs there.
applications_of() { awk -F '\t' -v debian="$1" '$1 == debian { print $2 }' "$here/mpis.tsv" "$here/compilers.tsv"; }

# sources LANGUAGE: those that are written for it; of PROGRAMS, if it says any.
sources() {
    local source
    case $1 in
    c) ls "$top"/tests/c/*.c "$top"/tests/c/mpi4/*.c ;;
    cxx) ls "$top"/tests/cxx/*.cc ;;
    *)
        for source in "$top"/tests/fortran/*.F90; do
            case " $(directive "$source" interfaces | grep . || echo 77 90 2008) " in *" $1 "*) echo "$source" ;; esac
        done
        ;;
    esac | grep -E "/(${PROGRAMS:-.*})[.][^/]*$"
}

# name_of SOURCE
name_of() {
    local name=${1##*/}
    echo "${name%.*}"
}

# languages APPLICATION: what its compilers may compile.
languages() {
    compiler_fact "$1" 3 | grep . || case $(mpi_family "$1") in
    openmpi) echo c cxx 77 90 2008 ;;
    mpich) echo c cxx 77 90 2008 ;;
    *) echo c ;;
    esac
}

# By this release's names, which only its root knows.
surroundings() {
    . "$top/tests/components.bash"
    choose_windows
}

# libmpi_abi.so.1 may be either implementation's: a folder has the one that is meant.
native_library() {
    case $1 in
    mpiabi-*)
        mkdir -p "$base/abi/$1"
        ln -sfT "$libraries/libmpi_abi_$(implementation_of "$1").so.1.0.0" "$base/abi/$1/libmpi_abi.so.1"
        echo "$base/abi/$1"
        ;;
    esac
}

# path APPLICATION: the folders ahead of the system's for its ranks.
path() {
    local pair path=
    pair=$(mpi_family "$1")-to-$(mpi_family "$host")
    [ "${pair%-to-*}" = "${pair#*-to-}" ] || path=$base/pairs/lib/mpi-adapter/$pair
    path+=:$(native_library "$host")
    # A pair's folder has the library that the standard ABI's Fortran programs need, too.
    [ "$pair" != mpiabi-to-mpiabi ] || path+=:$base/pairs/lib/mpi-adapter/fortran
    [ "$language" != cxx ] || path+=:$base/programs/$1/cxx-libraries
    path=${path//::/:} path=${path#:}
    echo "${path%:}"
}

# Two, unless the program wants another number only.
ranks() {
    local wanted
    wanted=$(directive "$1" ranks)
    case " ${wanted:-2} " in *" 2 "*) echo 2 ;; *) echo "${wanted%% *}" ;; esac
}
