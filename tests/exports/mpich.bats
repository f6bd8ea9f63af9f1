#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# The symbols of libmpich.so.12 and of its companion.

load ../pair
use_pair mpich-to-openmpi

setup() {
    cd "$BATS_TEST_TMPDIR"
    nm -D --defined-only "$adapter" | sed '/MPI_ADAPTER_PRIVATE/d; s/@.*//' | awk '{ print $NF, $(NF - 1) }' | LC_ALL=C sort > exported
    awk '{ print $1 }' exported > names
    # Symbols of MPICH's own that are exported for its other bindings have their own list.
    awk '!/^#/ && $1 == "mpich" { print "^" $2 " " }' "$top/abi-tables/private-exports" > private
    # Never empty, which would match nothing or everything.
    echo '^ ' >> private
}

# releases_export KIND: the functions or objects that any release's libmpich.so.12 exports.
releases_export() {
    cat "$top"/abi-tables/mpich-*/exports |
        awk -v kind="$1" '$1 == "libmpich.so.12" && $2 == kind { print $4 }' | LC_ALL=C sort -u
}

@test "exported symbols are those of the reviewed list" {
    grep -v '^#' "$here/$pair.symbols" > listed
    LC_ALL=C sort -c listed
    grep -vf private exported > public
    grep -vf private listed > listed-public
    [ "$(wc -l < public)" -gt 1500 ]
    diff listed-public public
}

@test "every procedure of every MPICH release is there, weak, and its PMPI_ twin, strong" {
    releases_export function | grep -E '^P?MPIX?_' > theirs
    [ "$(wc -l < theirs)" -gt 1450 ]
    LC_ALL=C comm -23 theirs names > absent
    diff /dev/null absent
    awk '/^MPIX?_/ && $2 ~ /[TtWw]/ && $2 != "W" { print; bad = 1 }
         /^PMPIX?_/ && $2 != "T" { print; bad = 1 } END { exit bad }' exported
    diff <(awk '/^MPI/ && $2 == "W" { print "P" $1 }' exported | LC_ALL=C sort) <(awk '/^PMPI/ { print $1 }' exported)
}

@test "every object of every MPICH release is there, as large as its own" {
    LC_ALL=C nm -D -S --defined-only -t d "$adapter" | sed 's/@.*//' | awk '$3 ~ /[BDR]/ { print $4, $2 + 0 }' > sizes
    cat "$top"/abi-tables/mpich-*/exports | awk '$1 == "libmpich.so.12" && $2 == "object" { print $4, $3 }' |
        LC_ALL=C sort -u > theirs
    [ "$(wc -l < theirs)" -ge 15 ]
    awk 'NR == FNR { size[$1] = $2; next } size[$1] < $2 { print $0 ", here " size[$1]; bad = 1 } END { exit bad }' sizes theirs
}

@test "what else MPICH exports is left out for a reason" {
    { releases_export function; releases_export object; } | LC_ALL=C sort -u | LC_ALL=C comm -23 - names > absent
    # What the adapter has come to export for MPICH's other bindings needs no line any more.
    grep -v '^#' "$here/left-out.symbols" | sed 's/ .*/ /' | grep -vf private | tr -d ' ' | LC_ALL=C sort | diff - absent
    awk '!/^#/ && NF < 2 { print; bad = 1 } END { exit bad }' "$here/left-out.symbols"
}

@test "every function and object that an mpi.h refers to is there" {
    awk '$3 == "address" || $3 == "variable" { sub(/\+.*/, "", $4); print $4 }' \
        "$top"/abi-tables/mpich-*/constants | LC_ALL=C sort -u > theirs
    [ "$(wc -l < theirs)" -ge 8 ]
    LC_ALL=C comm -23 theirs names | diff /dev/null -
}

@test "the companion has its soname and leads to the adapter" {
    readelf -d "$folder/libmpi.so.12" > dynamic
    grep -q 'SONAME.*\[libmpi.so.12\]' dynamic
    grep -q 'NEEDED.*\[libmpich.so.12\]' dynamic
    readelf -d "$adapter" | grep -q 'SONAME.*\[libmpich.so.12\]'
    for library in "$folder"/*.so.*; do
        run ! grep -E 'RPATH|RUNPATH|TEXTREL' <(readelf -d "$library")
    done
    # Any of the adapter's symbols, by the companion's handle.
    cat > lookup.c <<'END'
#include <dlfcn.h>
#include <stdio.h>
int main(int argc, char **argv)
{
    char name[256];
    int missing = 0, found = 0;
    void *handle = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    if (!handle)
        return puts(dlerror()), 1;
    while (scanf("%255s", name) == 1)
        dlsym(handle, name) ? found++ : (puts(name), missing++);
    printf("%d\n", found);
    return missing != 0;
}
END
    "$CC" -o lookup lookup.c -ldl
    [ "$(LD_LIBRARY_PATH=$folder ./lookup "$folder/libmpi.so.12" < names)" -eq "$(wc -l < names)" ]
}

# other_prefix: an MPICH whose library is called libmpi.so.12, as MPICH's own build calls it.
other_prefix() {
    mkdir -p other
    sed 's/.*/void &(void); void &(void) { __builtin_trap(); }/' <(grep -E '^P?MPI_[A-Z][a-z]' names) > traps.c
    "$CC" -shared -fPIC -w -Wl,-soname,libmpi.so.12 -o other/libmpi.so.12 traps.c
}

@test "a program that needs libmpi.so.12 runs, linked at build time or opened by name" {
    cat > hello.c <<'END'
#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv)
{
    int rank, sum;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        printf("sum %d\n", sum);
    MPI_Finalize();
    return 0;
}
END
    other_prefix
    # shellcheck disable=SC2046  # a list of words
    "$CC" $(mpicc.mpich -compile_info | grep -o ' -I[^ ]*') -o hello hello.c -Lother -l:libmpi.so.12
    readelf -d hello | grep -q 'NEEDED.*\[libmpi.so.12\]'
    run ! grep libmpich <(readelf -d hello)
    [ "$(on_ranks 2 ./hello 2>&1)" = 'sum 1' ]
    [ "$("$command" run -n 2 ./hello 2>&1)" = 'sum 1' ]
    # Symbols bound at load.
    [ "$(LD_BIND_NOW=1 on_ranks 2 -x LD_BIND_NOW ./hello 2>&1)" = 'sum 1' ]
    # Linked against the companion itself.
    # shellcheck disable=SC2046
    "$CC" $(mpicc.mpich -compile_info | grep -o ' -I[^ ]*') -o direct hello.c -L"$folder" -l:libmpi.so.12 -l:libmpich.so.12
    [ "$(on_ranks 2 ./direct 2>&1)" = 'sum 1' ]
}
