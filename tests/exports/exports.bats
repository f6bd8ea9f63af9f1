#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# Each library of a pair exports what the native ones of its soname do, no more and no less; what parts of
# the adapter share is out of the programs' sight.

load ../pair
use_pair openmpi-to-mpich

setup() {
    cd "$BATS_TEST_TMPDIR"
}

# installed SONAME: the path of the installed library, which has another name where MPICH builds itself.
installed() {
    local name=$1
    case $name in
    libmpifort.so.12) name=libmpichfort.so.12 ;;
    libmpi.so.12) name=libmpich.so.12 ;;
    libmpi_usempi*.so.50) name=${name%50}40 ;;
    esac
    ldconfig -p > known
    awk -v name="$name" '$1 == name && /x86-64|AArch64/ && !seen { print $NF; seen = 1 }' known
}

# is_reviewed: whether this machine's MPIs are those that exports.list is about. What libraries of other releases have beyond
# their tables is in no list.
is_reviewed() { [ "$(release_here openmpi) $(release_here mpich)" = '4.1.4 4.0.2' ]; }

# is_compared LIBRARY: whether one of the same symbols was.
is_compared() {
    local sum
    sum=${1##*/}-$(nm -D --defined-only "$1" | awk '{ print $(NF - 1), $NF }' | sort | md5sum | cut -d' ' -f1)
    [ ! -e "$sum" ] || return 0
    touch "$sum"
    return 1
}

# compare PAIR: lines "SONAME missing|extra|kind NAME" of its libraries, without those that another pair has, too. The tables
# have of Fortran libraries' names only those that programs must find.
compare() {
    local library path libraries=()
    for library in "$build/lib/mpi-adapter/$1"/*.so.*; do
        # Vendors' names are links.
        [ ! -L "$library" ] || continue
        is_compared "$library" && continue
        path=
        ! is_reviewed || path=$(installed "${library##*/}")
        libraries+=("$library${path:+=$path}")
    done
    "${PYTHON:-/usr/bin/python3}" "$here/exports.py" "$(family_of "$1")" "${libraries[@]}" | if is_reviewed; then cat; else grep -vE '^lib[^ ]*(fort|mpifh|usempi)[^ ]* extra '; fi
}

# Objects and functions that an mpi.h refers to, by any release.
constants() {
    awk '!/^#/ && ($3 == "address" || $3 == "variable") { sub(/[+].*/, "", $4); print $4 }' "$top"/abi-tables/*-[0-9]*/constants | sort -u
}

# The lines that the list gives no reason for, and the lines of the list that nothing needs. No line is about constants of a
# library for C: programs refer to these.
check() {
    local needed=0
    ! is_reviewed || needed=1
    awk 'FILENAME == "constants" { constant[$1]; next }
         FILENAME == list { if ($0 !~ /^#/) { library[++n] = "^(" $1 ")$"; kind[n] = $2; name[n] = "^(" $3 ")$"; text[n] = $0
                                       if (NF < 4) { print "no reason: " $0; bad = 1 } }; next }
         { found = 0
           if ($2 == "missing" && $3 in constant && $1 ~ /^(libmpi[.]so[.][24]0|libmpich[.]so[.]12)$/) { print; bad = 1; next }
           for (i = 1; i <= n && !found; i++)
               if ($1 ~ library[i] && $2 == kind[i] && $3 ~ name[i]) found = used[i] = 1
           if (!found) { print; bad = 1 } }
         END { for (i = 1; i <= n && needed; i++) if (!used[i]) { print "not needed: " text[i]; bad = 1 }
               exit bad }' list="$here/exports.list" needed="$needed" constants "$here/exports.list" "$1"
}

@test "every library of each pair exports what the native ones do, no more and no less" {
    local pair
    for pair in $(pair_modes); do
        compare "$pair"
    done | sort -u > differences
    [ "$(wc -l < differences)" -gt 3000 ]
    constants > constants
    [ "$(wc -l < constants)" -gt 120 ]
    check differences
}

# names_of LIBRARY: lines "NAME LETTER SIZE" of what programs see.
names_of() {
    nm -D -S --defined-only -t d "$1" | sed '/MPI_ADAPTER_PRIVATE/d; s/@.*//' |
        awk '{ print $NF, $(NF - 1), (NF > 3 ? $2 + 0 : 0) }' | LC_ALL=C sort
}

# for_each_library FUNCTION: for the library for C of each pair, whose names are in the file `names`.
for_each_library() {
    local name
    for name in $(pair_modes); do
        use_pair "$name"
        echo "$name:"
        names_of "$adapter" > names
        [ "$(wc -l < names)" -gt 1300 ]
        "$@"
    done
}

bindings() {
    awk '/^MPIX?_(T_)?[A-Z][a-z]/ && $2 ~ /[TtWw]/ && $2 != "W" { print; bad = 1 }
         /^PMPIX?_(T_)?[A-Z][a-z]/ && $2 != "T" { print; bad = 1 } END { exit bad }' names
}

@test "procedures are weak, for tools to take, and their PMPI_ twins strong" {
    for_each_library bindings
}

# An object is as long as the release's that has the longest. Of a predefined handle it has 8 bytes: the loader takes a shorter
# one than the program reserves, and warns of a longer one. Of Open MPI's other data the address alone counts.
sizes() {
    awk '!/^#/ && $3 == "address" && $1 ~ /^MPI_/ { print $4 }' "$top/abi-tables/$application"-*/constants > handles
    awk -v soname="$soname" '$1 == soname && $2 == "object" { print $4, $3 }' "$top/abi-tables/$application"-*/exports > theirs
    awk 'FILENAME == "handles" { handle[$1]; next }
         FILENAME == "theirs" { if (wanted[$1] < $2) wanted[$1] = $2; next }
         $2 ~ /[TW]/ { next }
         $1 in handle { if ($3 != 8) { print; bad = 1 }; next }
         /^(mpi_fortran|ompi_mpi)_/ { next }
         $1 in wanted && $3 < wanted[$1] { print $0 ", natively " wanted[$1]; bad = 1 } END { exit bad }' handles theirs names
}

@test "objects have the length that programs rely on" {
    for_each_library sizes
}

private() {
    awk -v family="$application" '$1 == family { print $2 }' "$top/abi-tables/private-exports" | LC_ALL=C sort -u > theirs
    cut -d' ' -f1 names | LC_ALL=C comm -23 theirs - | diff /dev/null -
}

@test "what an MPI's bindings for other languages need of its own is there, also what companions have natively" {
    for_each_library private
}

@test "what the parts of the adapter share is found by its version alone" {
    cat > look.c <<'END'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
int main(int argc, char **argv)
{
    void *library = dlopen(argv[1], RTLD_NOW | RTLD_GLOBAL);
    const char *name = argv[2];
    if (!library)
        return puts(dlerror()), 1;
    printf("%d%d%d\n", dlsym(library, name) != 0, dlsym(RTLD_DEFAULT, name) != 0,
           dlvsym(library, name, "MPI_ADAPTER_PRIVATE") != 0);
    return 0;
}
END
    "$CC" -o look look.c -ldl
    [ "$(adapted ./look "$folder/libmpi.so.40" mpi_adapter_shared_openmpi)" = 001 ]
    [ "$(LD_LIBRARY_PATH=$build/lib/mpi-adapter/mpich-to-openmpi ./look libmpich.so.12 mpi_adapter_shared_mpich)" = 001 ]
    [ "$(LD_LIBRARY_PATH=$build/lib/mpi-adapter/mpich-to-openmpi ./look libmpichfort.so.12 mpi_adapter_shared_mpich)" = 001 ]
}

# plugin FAMILY: plugin.so of a C program for FAMILY, with a function of its own that has the name of one of
# Fortran's, called through the table of addresses; and its host, which may load MPI for all.
plugin() {
    cat > plugin.c <<'END'
#include <mpi.h>
#include <stdio.h>
/* As R's Rmpi has it. */
int mpi_comm_size(int *answer) { int size; MPI_Comm_size(MPI_COMM_WORLD, &size); *answer = 10 * size; return 7; }
int mpi_send_(int value) { return value + 1; }
int MPI_RECV(int value) { return value + 2; }
int run(void)
{
    int answer = 0, code;
    MPI_Init(0, 0);
    code = mpi_comm_size(&answer);
    printf("%d %d %d %d\n", code, answer, mpi_send_(1), MPI_RECV(1));
    MPI_Finalize();
    return 0;
}
END
    cat > host.c <<'END'
#include <dlfcn.h>
#include <stdio.h>
int main(int argc, char **argv)
{
    if (argc > 2 && !dlopen(argv[2], RTLD_NOW | RTLD_GLOBAL))
        return puts(dlerror()), 1;
    void *plugin = dlopen(argv[1], RTLD_NOW);
    if (!plugin)
        return puts(dlerror()), 1;
    return ((int (*)(void))dlsym(plugin, "run"))();
}
END
    "$CC" -o host host.c -ldl
    "mpicc.$1" -fPIC -shared -o "plugin-$1.so" plugin.c
}

@test "an extension in C that has functions of its own with Fortran's names calls these" {
    plugin openmpi
    plugin mpich
    pair=$build/lib/mpi-adapter/openmpi-to-mpich
    for preload in '' "$pair/libmpi.so.40"; do
        for argument in '' libmpi.so.40; do
            # shellcheck disable=SC2086
            [ "$(mpiexec.mpich -n 1 env LD_LIBRARY_PATH="$pair" LD_PRELOAD=$preload ./host ./plugin-openmpi.so $argument)" = '7 10 2 3' ]
        done
    done
    pair=$build/lib/mpi-adapter/mpich-to-openmpi
    for preload in '' "$pair/libmpich.so.12"; do
        for argument in '' libmpich.so.12; do
            # shellcheck disable=SC2086
            [ "$(mpiexec.openmpi -n 1 env LD_LIBRARY_PATH="$pair" LD_PRELOAD=$preload ./host ./plugin-mpich.so $argument)" = '7 10 2 3' ]
        done
    done
    [ "$("$build/bin/mpi-adapter" run --preload --from openmpi -n 1 ./host ./plugin-openmpi.so)" = '7 10 2 3' ]
}

# lacks_extensions PAIR: prints the names of extensions.tsv that the pair's library for C does not have.
lacks_extensions() {
    nm -D --defined-only "$build/lib/mpi-adapter/$1/$(use_pair "$1"; echo "$soname")" | sed 's/.* //; s/@.*//' | LC_ALL=C sort -u > exported
    awk -F'\t' -v family="$(family_of "$1")" '$1 == family { print $5 }' "$here/extensions.tsv" | LC_ALL=C sort -u > wanted
    [ -s wanted ] || return 0
    LC_ALL=C comm -13 exported wanted
}

@test "every procedure beyond MPI's that a header of a vendor declares is there, so that no program ends in the loader" {
    local pair lacked
    for pair in $(pair_modes); do
        lacked=$(lacks_extensions "$pair")
        [ -z "$lacked" ] || { echo "$pair lacks" $lacked; return 1; }
    done
}
