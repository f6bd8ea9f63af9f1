#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# The files that a pair consists of: how they are called, how they lead to one another, and how the loader treats them.

load ../pair

setup() {
    cd "$BATS_TEST_TMPDIR"
}

# for_all_pairs FUNCTION
for_all_pairs() {
    local name
    for name in $(pair_modes); do
        use_pair "$name"
        "$@"
    done
}

lead_to_the_adapter() {
    local library
    for library in "$folder"/*.so.*; do
        if [ -L "$library" ]; then
            # Vendors' names, and the Fortran library of an ABI that has none of its own: the table has both.
            grep -qE "^$application (alias ${library##*/}=$(readlink "$library")|fortran_made ${library##*/})\$" "$top/abi-tables/families"
            continue
        fi
        readelf -d "$library" > dynamic
        grep -q "SONAME.*\[${library##*/}\]" dynamic
        [ "$library" = "$adapter" ] || grep -q "NEEDED.*\[$soname\]" dynamic
        # They find the one for C beside themselves.
        run ! grep -E 'RPATH|TEXTREL' dynamic
        run ! grep -E 'RUNPATH' <(grep -vF '[$ORIGIN]' dynamic)
    done
}

@test "all libraries have their sonames and lead to the adapter" {
    for_all_pairs lead_to_the_adapter
}

stays() {
    readelf -dW "$adapter" > dynamic
    readelf -lW "$adapter" > segments
    grep -q 'FLAGS_1.*NOW.*NODELETE' dynamic
    grep -qE 'GNU_STACK .* RW ' segments
    run ! grep -E 'LOAD .* RWE ' segments
    grep -q 'GNU_RELRO' segments
}

@test "the adapter is never unloaded, binds at once and keeps its stack not executable" {
    for_all_pairs stays
}

@test "a companion's handle has all that the adapter has" {
    use_pair mpich-to-openmpi
    nm -D --defined-only "$adapter" | sed '/MPI_ADAPTER_PRIVATE/d; s/@.*//; s/.* //' > names
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
    nm -D --defined-only "$adapter" | sed 's/@.*//; s/.* //' > names
    sed 's/.*/void &(void); void &(void) { __builtin_trap(); }/' <(grep -E '^P?MPI_[A-Z][a-z]' names) > traps.c
    "$CC" -shared -fPIC -w -Wl,-soname,libmpi.so.12 -o other/libmpi.so.12 traps.c
}

@test "a program that needs libmpi.so.12 runs, linked at build time or opened by name" {
    use_pair mpich-to-openmpi
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
