#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# The adapter exports what the Fortran libraries of both MPIs export: entry points in every spelling, and names that compilers
# make of the modules. Each is looked up as the dynamic linker does for a program that needs the Fortran library.

bats_require_minimum_version 1.5.0

setup_file() {
    "${CC:-gcc}" -O1 -Wall -o "$BATS_FILE_TMPDIR/lookup" "$BATS_TEST_DIRNAME/lookup.c" -ldl
    unset MPI_ADAPTER_HOST_LIBRARY MPI_ADAPTER_VERBOSE MPI_ADAPTER_PRELOAD LD_PRELOAD LD_LIBRARY_PATH
}

setup() {
    top=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
    here=$top/tests/fortran
    build=$(cd "${BUILD:-$top/build}" && pwd)
    lookup=$BATS_FILE_TMPDIR/lookup
    openmpi_libraries="libmpi_mpifh.so.40 libmpi_usempif08.so.40 libmpi_usempi_ignore_tkr.so.40"
    mpich_libraries=libmpichfort.so.12
    openmpi_least=7000 mpich_least=4000 # releases differ; a list that could not be read is shorter
    cd "$BATS_TEST_TMPDIR"
}

# pair_folder FAMILY: the libraries for programs of FAMILY.
pair_folder() {
    case $1 in
        openmpi) echo "$build/lib/mpi-adapter/openmpi-to-mpich" ;;
        mpich) echo "$build/lib/mpi-adapter/mpich-to-openmpi" ;;
    esac
}

# installed SONAME: the path of the installed library.
installed() {
    "$lookup" "$1" < /dev/null
    ldconfig -p | awk -v name="$1" '$1 == name && /x86-64|AArch64/ { print $NF; exit }'
}

# exported SONAME: lines "NAME TYPE SIZE" of what the installed library exports.
exported() {
    LC_ALL=C nm -D -S -t d --defined-only "$(installed "$1")" | sed 's/@.*//' |
        awk '{ print $NF, $(NF - 1), NF == 4 ? $2 + 0 : 0 }' | LC_ALL=C sort
}

# all_found FAMILY LIBRARY: the adapter's library of that name has every symbol of the file `theirs`.
all_found() {
    LD_LIBRARY_PATH=$(pair_folder "$1") "$lookup" "$2" < theirs > found || { diff theirs found; false; }
}

every_symbol_is_found() {
    local family=$1 library libraries=${1}_libraries least=${1}_least all=0
    for library in ${!libraries}; do
        # The subroutines of Open MPI 6's modules call these, in the same library; no module offers them.
        exported "$library" | awk '$1 !~ /^ompi_(.*_wrapper_f(08(_c)?|90)|ts_.*|type_.*_f_c)$/ { print $1 }' > theirs
        all_found "$family" "$library"
        all=$((all + $(wc -l < theirs)))
    done
    [ "$all" -gt "${!least}" ]
}

@test "every symbol of Open MPI's Fortran libraries is found by their names" {
    every_symbol_is_found openmpi
}

@test "every symbol of MPICH's Fortran library is found by its name" {
    every_symbol_is_found mpich
    all_found mpich libmpifort.so.12
}

@test "the Fortran libraries of each pair of a family have the same names" {
    for family in openmpi mpich; do
        for conf in "$build/lib/mpi-adapter/$family"-to-*/pair.conf; do
            for library in $(sed -n 's/^fortran = //p' "$conf"); do
                LC_ALL=C nm -D --defined-only "${conf%/*}/$library" | awk '{ print $2, $3 }' > names
                [ "$(wc -l < names)" -gt 50 ]
                [ -e "$family.$library" ] || cp names "$family.$library"
                cmp names "$family.$library"
            done
        done
    done
}

# An executable has copies of a library's objects: as long as they were when it was linked.
@test "objects have the sizes that programs were linked with" {
    for family in openmpi mpich; do
        libraries=${family}_libraries
        for library in ${!libraries}; do exported "$library"; done | awk '$2 ~ /[BDR]/' | LC_ALL=C sort -u > theirs
        [ "$(wc -l < theirs)" -gt 100 ]
        LC_ALL=C nm -D -S -t d --defined-only "$(pair_folder "$family")"/libmpi*.so.?? | sed 's/@.*//' |
            awk 'NF == 4 { print $4, $2 + 0 }' > ours
        awk 'NR == FNR { size[$1] = $2; next } size[$1] != $3 { print $0, "here", size[$1]; bad = 1 } END { exit bad }' \
            ours theirs
    done
}

# MPICH 4.0 knows MPI_INTEGER16 as a null handle, later releases have the type.
@test "predefined handles of mpi_f08 have the values that programs were compiled with" {
    for family in openmpi mpich; do
        libraries=${family}_libraries
        for library in ${!libraries}; do
            exported "$library" | awk '$2 ~ /[DR]/ && $1 ~ /(_MOD_|ompi_f08_)mpix?_/ { print $1 }' > handles
            "$lookup" "$library" values < handles > theirs
            LD_LIBRARY_PATH=$(pair_folder "$family") "$lookup" "$library" values < handles > ours
            diff <(grep -v _MOD_mpi_integer16 theirs) <(grep -v _MOD_mpi_integer16 ours)
            wc -l < handles >> counts
        done
    done
    [ "$(awk '{ all += $1 } END { print all }' counts)" -ge 200 ]
}

@test "tables that describe types hold gfortran's hashes and sizes" {
    cat > tables.c <<'END'
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
struct table { int32_t hash; int64_t size; void *extends, *initial, *copy, *finalize, *deallocate; };
int main(int argc, char **argv)
{
    char name[512], from[64] = "abcdefghijklmnopqrstuvwxyz0123456789", to[64];
    void *library = dlopen(argv[1], RTLD_NOW);
    while (library && scanf("%511s", name) == 1) {
        struct table *table = dlsym(library, name);
        to[table->size] = '!';
        ((void (*)(void *, void *))table->copy)(from, to);
        printf("%s %d %d %d%d%d %c%c%d\n", name, table->hash, (int)table->size, table->extends != 0,
               table->finalize != 0, table->deallocate != 0, to[table->size - 1], to[table->size], *(char *)table->initial);
    }
    return library == 0;
}
END
    "${CC:-gcc}" -o tables tables.c -ldl
    for family in openmpi:libmpi_usempif08.so.40:11 mpich:libmpichfort.so.12:24; do
        IFS=: read -r family library least <<< "$family"
        exported "$library" | awk '/___vtab_/ { print $1 }' > names
        [ "$(wc -l < names)" -ge "$least" ]
        ./tables "$library" < names > theirs
        LD_LIBRARY_PATH=$(pair_folder "$family") ./tables "$library" < names | diff theirs -
    done
}

@test "entry points of other releases are there, and what their modules export" {
    for family in openmpi mpich; do
        libraries=${family}_libraries
        all=0
        for library in ${!libraries}; do
            {
                cat "$top/abi-tables/$family"-*/exports | awk -v library="$library" \
                    '$1 == library && ($2 == "function" || $2 == "object") { print $4 }'
                # The names that gfortran makes of modules are in the library for mpi_f08, or in MPICH's only one.
                [[ $library == *ignore_tkr* || $library == *mpifh* ]] ||
                    awk -v family="$family" '$1 == family { print $2 }' "$here/modules.symbols"
                [[ $library != *ignore_tkr* ]] ||
                    awk -v family="$family" '$1 == family && /__mpi_types_MOD/ { print $2 }' "$here/modules.symbols"
            } | LC_ALL=C sort -u > theirs
            all_found "$family" "$library"
            all=$((all + $(wc -l < theirs)))
        done
        [ "$all" -gt 1000 ]
    done
}

# program FAMILY SOURCE: compiled for FAMILY's MPI.
program() {
    # shellcheck disable=SC2046  # one definition or none
    "mpifort.$1" -O1 -w -cpp "-D${1^^}" $(without_sync_reg "mpifort.$1") -o "$1-$2" "$here/modules/$2.F90"
}

# run_natively FAMILY COMMAND, run_adapted FAMILY COMMAND: one process of a program for FAMILY.
run_natively() {
    timeout 60 "mpiexec.$1" -n 1 "./$2"
}
run_adapted() {
    case $1 in
        openmpi) LD_LIBRARY_PATH=$(pair_folder openmpi) timeout 60 mpiexec.mpich -n 1 "./$2" ;;
        mpich) timeout 60 mpiexec.openmpi -x LD_LIBRARY_PATH="$(pair_folder mpich)" -n 1 "./$2" ;;
    esac
}

@test "programs find operators, sizes, callbacks and types of modules" {
    . "$top/tests/components.bash"
    for family in openmpi mpich; do
        for source in f08 mpi; do
            program "$family" "$source"
            [ "$(run_natively "$family" "$family-$source")" = good ]
            [ "$(run_adapted "$family" "$family-$source")" = good ]
        done
    done
}

@test "what gfortran calls by the names of modules, Intel's compilers find by theirs" {
    LC_ALL=C nm -D --defined-only "$(pair_folder mpich)/libmpichfort.so.12" | sed 's/@.*//' | awk '{ print $3 }' > names
    sed -nE 's/^__(mpi_[a-z0-9_]*)_MOD_(p?mpix?_[a-z0-9_]*|[a-z]*n?eq)$/\1_mp_\2_/p' names | LC_ALL=C sort > wanted
    [ "$(wc -l < wanted)" -gt 250 ]
    run comm -23 wanted <(LC_ALL=C sort names)
    echo "$output"
    # A constant of later releases.
    [ "$output" = mpi_f08_link_constants_mp_mpi_buffer_automatic_ ]
    # The same values and sizes.
    for kind in MOD mp; do
        sed -n "s/^__mpi_f08_compile_constants_MOD_\(mpi_[a-z0-9_]*\)$/\1/p" names |
            if [ $kind = MOD ]; then sed 's/^/__mpi_f08_compile_constants_MOD_/'; else sed 's/.*/mpi_f08_compile_constants_mp_&_/'; fi > handles
        LD_LIBRARY_PATH=$(pair_folder mpich) "$lookup" libmpichfort.so.12 values < handles | sed -E 's/^.*_(MOD|mp)_//; s/^([a-z0-9_]*)_ /\1 /' > "values.$kind"
    done
    [ "$(wc -l < values.mp)" -gt 100 ]
    diff values.MOD values.mp
}
