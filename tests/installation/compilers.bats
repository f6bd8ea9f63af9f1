#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# The tools that compile programs of the standard ABI: the header, the library to link with, mpicc_abi and mpicxx_abi, pkg-config
# and CMake.

bats_require_minimum_version 1.5.0

top=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
build=$(cd "$top" && realpath -ms "${BUILD:-build}")
pairs=$build/lib/mpi-adapter
unset MAKEFLAGS MAKELEVEL MFLAGS LD_LIBRARY_PATH MPI_ADAPTER_CC MPI_ADAPTER_CXX MPICH_CC MPICH_CXX OMPI_CC OMPI_CXX
BUILD=$build
. "$top/tests/components.bash"

setup() {
    cd "$BATS_TEST_TMPDIR"
    PATH=$build/bin:$PATH
    : "${PYTHON:=/usr/bin/python3}" "${CC:=gcc}"
}

# A program that says on which MPI it ran.
ring() { mpicc_abi -o "$1" "$top/tests/demo/ring.c"; }
on_mpich() { timeout 60 mpiexec.mpich -genv LD_LIBRARY_PATH "$pairs/mpiabi-to-mpich" -n 2 "$@"; }
on_openmpi() { timeout 60 mpiexec.openmpi -x LD_LIBRARY_PATH="$pairs/mpiabi-to-openmpi" -n 2 "$@"; }

# asserted INCLUDE: the header there agrees with the tables.
asserted() { gcc -std=c11 -Wall -Wextra -Werror -I"$1" -c assertions.c -o assertions.o; }

@test "the header has every value, type, layout and prototype that a release of the family has" {
    "$PYTHON" "$BATS_TEST_DIRNAME/assertions.py" "$top/abi-tables" mpiabi > assertions.c
    [ "$(grep -c '^_Static_assert' assertions.c)" -gt 2000 ]
    asserted "$build/include/mpi-adapter"
    # Were it another one, that would be seen.
    local change
    mkdir changed
    for change in 's/^#define MPI_ANY_TAG .*/#define MPI_ANY_TAG (-1)/' 's/(MPI_Comm)0x101/(MPI_Comm)0x111/' \
        's/(MPI_Comm)0x101/(MPI_Group)0x101/' 's/(void \*)0x1)/(char *)0x1)/' 's/ MPI_internal\[5\]/ MPI_internal[6]/' \
        's/^int MPI_Send(const void \*buf/int MPI_Send(void *buf/' 's/^int PMPI_Send(const void \*buf, int/&64_t/' \
        '/^int MPI_Win_free(/d' 's/^typedef long MPI_Aint;/typedef unsigned long MPI_Aint;/' \
        's/MPI_T_CB_REQUIRE_THREAD_SAFE = 15/MPI_T_CB_REQUIRE_THREAD_SAFE = 2/' \
        's/(MPI_Comm_copy_attr_function \*)0x1/(MPI_Copy_function *)0x0/'; do
        sed "$change" "$build/include/mpi-adapter/mpi.h" > changed/mpi.h
        run ! cmp -s changed/mpi.h "$build/include/mpi-adapter/mpi.h"
        run ! asserted changed
    done
}

# words_of_mpi: names of MPI's in what comes in, each once.
words_of_mpi() { grep -oE '\bMPIX?_[A-Z][A-Za-z0-9_]*\b' | LC_ALL=C sort -u; }

# names_of_header INCLUDE: what the header defines as something or declares.
names_of_header() {
    {
        echo '#include <mpi.h>' | gcc -I"$1" -E -dM - | awk 'NF > 2 { print $2 }'
        echo '#include <mpi.h>' | gcc -I"$1" -E -P -
    } | words_of_mpi
}

# names_of_table FOLDER: what a scanned table of a header names.
names_of_table() { sed '/^#/d' "$1"/{constants,types,procedures} | words_of_mpi; }

# forum/ was scanned from the mpi.h of mpi-abi-stubs, as abi-tables/ were from those of releases.
@test "the header agrees with the MPI Forum's, and has no more than the list of differences says" {
    local forum=$BATS_TEST_DIRNAME/forum
    "$PYTHON" "$BATS_TEST_DIRNAME/assertions.py" "$forum" mpiabi > assertions.c
    [ "$(grep -c '^_Static_assert' assertions.c)" -gt 1000 ]
    asserted "$build/include/mpi-adapter"
    mkdir changed
    for change in '/MPI_DISPLACEMENT_CURRENT/s/(MPI_Offset)//' '/ MPI_Psend_init(/s/int count/MPI_Count count/' '/ MPI_Precv_init_c(/d'; do
        sed "$change" "$build/include/mpi-adapter/mpi.h" > changed/mpi.h
        run ! cmp -s changed/mpi.h "$build/include/mpi-adapter/mpi.h"
        run ! asserted changed
    done
    names_of_header "$build/include/mpi-adapter" > ours
    names_of_table "$forum/mpiabi-forum-1.0" > theirs
    LC_ALL=C comm -13 ours theirs > lost
    diff /dev/null lost
    LC_ALL=C comm -23 ours theirs > more
    sed '/^#/d' "$forum/more" | diff - more
}

# Open MPI's tests of the standard ABI ask for it.
@test "the header has the guard of the MPI Forum's" {
    printf '#include <mpi.h>\n#ifndef MPI_H_ABI\n#error which mpi.h is this?\n#endif\n' > guard.c
    mpicc_abi -c guard.c
    mpicxx_abi -c guard.c
}

@test "the header compiles without a warning in every C and C++" {
    local compiler standard
    printf '#include <mpi.h>\nint main(void) { return MPI_SUCCESS; }\n' > empty.c
    for compiler in gcc clang; do
        for standard in c90 c99 c11 c17 gnu11; do
            "$compiler" -std=$standard -Wall -Wextra -pedantic -Wstrict-prototypes -Werror -I"$build/include/mpi-adapter" \
                -c empty.c -o empty.o
        done
    done
    for compiler in g++ clang++; do
        for standard in c++98 c++11 c++17 c++20; do
            "$compiler" -std=$standard -Wall -Wextra -pedantic -Werror -I"$build/include/mpi-adapter" -x c++ \
                -c empty.c -o empty.o
        done
    done
}

@test "constants stand in case labels, in the preprocessor and in static data, and have the types of their parameters" {
    cat > constants.c << 'TEXT'
#include <mpi.h>
#if MPI_VERSION < 5 || MPI_SUBVERSION < 0 || MPI_ABI_VERSION != 1 || MPI_ABI_SUBVERSION != 0
#error the version
#endif
static MPI_Comm comms[] = { MPI_COMM_WORLD, MPI_COMM_NULL };
static MPI_Datatype types[] = { MPI_INT, MPI_LONG_LONG_INT };
static MPI_Comm_copy_attr_function *copy[] = { MPI_COMM_NULL_COPY_FN, MPI_COMM_DUP_FN };
static void *buffers[] = { MPI_BOTTOM, MPI_IN_PLACE, MPI_BUFFER_AUTOMATIC };
static char name[MPI_MAX_PROCESSOR_NAME];
static void failed(MPI_Comm *comm, int *code, ...) { (void)comm; (void)code; }
static void event(MPI_T_event_instance instance, MPI_T_event_registration registration, MPI_T_cb_safety safety, void *data)
{
    (void)instance; (void)registration; (void)data;
    switch (safety) {
    case MPI_T_CB_REQUIRE_NONE: case MPI_T_CB_REQUIRE_MPI_RESTRICTED: case MPI_T_CB_REQUIRE_THREAD_SAFE:
    case MPI_T_CB_REQUIRE_ASYNC_SIGNAL_SAFE: break;
    }
}
int main(void)
{
    MPI_Errhandler handler;
    MPI_T_event_cb_function *called = event;
    int provided, keyval, *weights = MPI_UNWEIGHTED;
    char **arguments = MPI_ARGV_NULL;
    MPI_Fint *fortran = MPI_F_STATUS_IGNORE;
    MPI_F08_status *f08 = MPI_F08_STATUS_IGNORE;
    switch (MPI_Init_thread(0, 0, MPI_THREAD_SINGLE, &provided)) {
    case MPI_SUCCESS: break;
    case MPI_ERR_ARG: case MPI_ERR_OTHER: default: return 1;
    }
    MPI_Comm_create_errhandler(failed, &handler);
    MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, &keyval, buffers[0]);
    MPI_Recv(buffers[0], 0, types[0], MPI_PROC_NULL, 0, comms[0], MPI_STATUS_IGNORE);
    MPI_Waitall(0, 0, MPI_STATUSES_IGNORE);
    return name[0] || weights == 0 || arguments || fortran || f08 || !called || !copy[1] || MPI_Finalize();
}
TEXT
    mpicc_abi -std=c11 -Wall -Wextra -pedantic -Werror -o constants constants.c
    mpicxx_abi -std=c++11 -Wall -Wextra -pedantic -Werror -x c++ constants.c -x none -o constants.cxx
    on_mpich ./constants
    on_openmpi ./constants.cxx
}

@test "Fortran's handles and statuses need no procedure that a library of the ABI lacks" {
    cat > fortran.c << 'TEXT'
#include <mpi.h>
#include <stdio.h>
#include <string.h>
int main(void)
{
    MPI_Status status, copy;
    MPI_F08_status f08;
    MPI_Fint words[MPI_F_STATUS_SIZE];
    MPI_Comm (*back)(MPI_Fint) = MPI_Comm_f2c;
    MPI_Init(0, 0);
    MPI_Recv(0, 0, MPI_BYTE, MPI_PROC_NULL, MPI_ANY_TAG, MPI_COMM_SELF, &status);
    status.MPI_TAG = 77;
    MPI_Status_c2f(&status, words);
    MPI_Status_f2f08(words, &f08);
    MPI_Status_f082c(&f08, &copy);
    if (words[MPI_F_SOURCE] != MPI_PROC_NULL || words[MPI_F_TAG] != 77 || memcmp(&status, &copy, sizeof copy) != 0)
        return 1;
    if (back(MPI_Comm_c2f(MPI_COMM_SELF)) != MPI_COMM_SELF || MPI_Type_f2c(MPI_Type_c2f(MPI_INT)) != MPI_INT)
        return 2;
    fputs("converted\n", stdout);      // a line in one piece, with a buffer or without
    return MPI_Finalize();
}
TEXT
    mpicc_abi -Wall -Wextra -Werror -O2 -o fortran fortran.c
    nm -D --undefined-only fortran > symbols
    grep -q ' MPI_Comm_toint$' symbols
    run ! grep -E '_(c2f|f2c|f2f08|f082c)$' symbols
    [ "$(on_mpich ./fortran)" = $'converted\nconverted' ]
    [ "$(on_openmpi ./fortran)" = $'converted\nconverted' ]
    # A program that has procedures of its own by these names compiles without the adapter's.
    printf 'int MPI_Comm_c2f;\n#define MPI_ADAPTER_NO_FORTRAN\n#include <mpi.h>\n' > own.c
    mpicc_abi -c own.c
}

@test "the library to link with has what the header declares, and each library of a pair has it, too" {
    local library pair
    library=$pairs/abi/libmpi_abi.so
    readelf -d "$library" | grep -q 'SONAME.*\[libmpi_abi.so.1\]'
    sed -nE '/^static|^typedef|^#/!s/^[A-Za-z_ ]+[ *](P?MPI_[A-Za-z0-9_]+)\(.*\);$/\1/p' "$build/include/mpi-adapter/mpi.h" |
        LC_ALL=C sort > declared
    [ "$(grep -c ^MPI_ declared)" -gt 650 ]
    nm -D --defined-only "$library" | awk '{ print $3 }' | LC_ALL=C sort > has
    diff declared has
    for pair in mpiabi-to-mpich mpiabi-to-openmpi; do
        nm -D --defined-only "$pairs/$pair/libmpi_abi.so.1" | awk '{ sub(/@.*/, "", $3); print $3 }' | LC_ALL=C sort > exported
        # MPICH 5.0.2 has forgotten a profiling twin.
        LC_ALL=C comm -23 has exported > missing
        diff /dev/null missing
    done
}

@test "no path leads a program to the library that it was linked with, and that one says what it is" {
    [[ $build != *' '* ]] || skip "LD_PRELOAD holds no path with a space"
    ring ring
    readelf -d ring | grep -q 'NEEDED.*\[libmpi_abi.so.1\]'
    run ! grep -q 'RPATH\|RUNPATH' <(readelf -d ring)
    if ! ldconfig -p | awk '$1 == "libmpi_abi.so.1" { found = 1 } END { exit !found }'; then
        LD_LIBRARY_PATH=$pairs/abi run -127 ./ring
        [[ $output == *'libmpi_abi.so.1: cannot open shared object file'* ]]
    fi
    mpicc_abi -Wl,-rpath,"$pairs/abi" -o rpath "$top/tests/demo/ring.c"
    on_mpich ./rpath
    LD_PRELOAD=$pairs/abi/libmpi_abi.so run -1 ./ring
    [ "$output" = "mpi-adapter: $pairs/abi/libmpi_abi.so is for linking and has no MPI behind it; start the program by \
mpi-adapter run, or by an MPI that has a libmpi_abi.so.1" ]
}

@test "compiled once, a program runs on both MPIs" {
    ring ring
    [[ $(on_mpich ./ring) == *MPICH*verified* ]]
    [[ $(on_openmpi ./ring) == *'Open MPI'*verified* ]]
}

@test "the compilers say what they do, in the words of MPICH's and of Open MPI's" {
    [[ $build != *' '* ]] || skip "paths with spaces are quoted, which another test looks at"
    local added_c="-I$build/include/mpi-adapter" added_l="-L$pairs/abi -Wl,-rpath-link,$pairs/abi/link -lmpi_adapter_compat -lmpi_abi" option
    for option in -show --show -showme --showme -compile-info -compile_info -link-info -link_info; do
        [ "$(mpicc_abi $option)" = "cc $added_c $added_l" ]
    done
    [ "$(mpicc_abi -show -c a.c)" = "cc $added_c -c a.c" ]
    [ "$(mpicxx_abi 'a b.cc' -o x -show)" = "c++ $added_c 'a b.cc' -o x $added_l" ]
    [ "$(mpicc_abi -showme "-DX=\"it's\"" a.c)" = "cc $added_c '-DX=\"it'\\''s\"' a.c $added_l" ]
    [ "$(mpicc_abi -showme:compile)" = "$added_c" ]
    [ "$(mpicc_abi --showme:link)" = "$added_l" ]
    [ "$(mpicc_abi -showme:incdirs)" = "$build/include/mpi-adapter" ]
    [ "$(mpicc_abi -showme:libdirs)" = "$pairs/abi" ]
    [ "$(mpicc_abi -showme:libs)" = 'mpi_adapter_compat mpi_abi' ]
    [ "$(mpicxx_abi -showme:command)" = c++ ]
    [[ $(mpicxx_abi -showme:version) == 'mpicxx_abi (MPI-Adapter) '* ]]
    [[ $(mpicxx_abi -showme:help) == *-cxx=COMPILER* ]]
    run -1 mpicc_abi -showme:nonsense
    [[ $output == 'mpi-adapter: '*'; '* ]]
}

@test "the compilers pass on what asks for no program" {
    [ "$(mpicc_abi --version)" = "$(cc --version)" ]
    mpicc_abi -v
    [ "$(mpicc_abi -dumpmachine)" = "$(cc -dumpmachine)" ]
    echo MPI_ABI_VERSION > version.c
    [ "$(mpicc_abi -E -P -include mpi.h version.c | tail -n 1)" = 1 ]
    # The argument of an option is nothing to compile.
    [[ $(mpicc_abi -o x -I inc -x c 2>&1) != *undefined* ]]
    ring x
    mpicc_abi -MM "$top/tests/demo/ring.c" > dependencies
    grep -q mpi.h dependencies
    run ! mpicc_abi -c no-such-file.c
}

@test "the compiler to call is that of an option, or of the environment" {
    [[ $build != *' '* ]] || skip "paths with spaces are quoted, which another test looks at"
    mkdir 'my tools'
    for name in one two; do
        printf '#!/bin/sh\necho %s "$@"\n' $name > "my tools/$name"
        chmod +x "my tools/$name"
    done
    PATH=$PWD/my\ tools:$PATH
    [[ $(MPI_ADAPTER_CC='one --flag' mpicc_abi -c a.c) == "one --flag -I"*" -c a.c" ]]
    [[ $(MPICH_CC=one OMPI_CC=two mpicc_abi -c a.c) == "one -I"* ]]
    [[ $(OMPI_CXX=two mpicxx_abi -c a.c) == "two -I"* ]]
    [[ $(MPICH_CC=one MPI_ADAPTER_CC=two mpicc_abi -c a.c) == "two -I"* ]]
    [[ $(MPI_ADAPTER_CXX=two mpicc_abi -showme:command) == cc ]]
    [[ $(OMPI_CC=two mpicc_abi -cc=one -c a.c) == "one -I"*" -c a.c" ]]
    [[ $(mpicxx_abi -cxx=two -show) == "two -I"* ]]
    OMPI_CC="env mpicc_abi" run -1 mpicc_abi -c a.c
    [ "$output" = 'mpi-adapter: mpicc_abi would call itself as the compiler; name another one by MPI_ADAPTER_CC' ]
    MPI_ADAPTER_CC=no-such-compiler run -1 mpicc_abi a.c
    [ "$output" = 'mpi-adapter: there is no compiler no-such-compiler; install it, or name another one by MPI_ADAPTER_CC' ]
}

# The installation is tried where it was not installed to, by names with spaces, and by links.
@test "what is installed may be moved" {
    local prefix
    make -C "$top" --no-print-directory BUILD="$build" CC="$CC" PREFIX=/opt/adapter LIBDIR=/opt/adapter/lib/some-arch \
        DESTDIR="$PWD/root" install-compile > log 2>&1 || { cat log; return 1; }
    mkdir bin
    mv root/opt/adapter 'an adapter'
    prefix=$PWD/an\ adapter
    ln -s "../an adapter/bin/mpicc_abi" bin/mpicc_abi
    PATH=$PWD/bin:$PATH
    [ "$(mpicc_abi -showme:incdirs)" = "'$prefix/include/mpi-adapter'" ]
    mpicc_abi -o ring "$top/tests/demo/ring.c"
    on_mpich ./ring
    mv 'an adapter' adapter
    export PKG_CONFIG_PATH=$PWD/adapter/lib/some-arch/pkgconfig
    # shellcheck disable=SC2046  # words
    cc -o packaged "$top/tests/demo/ring.c" $(pkg-config --cflags --libs mpi-adapter-abi)
    on_openmpi ./packaged
    rm adapter/include/mpi-adapter/mpi.h
    run -1 adapter/bin/mpicc_abi -c "$top/tests/demo/ring.c"
    [ "$output" = "mpi-adapter: there is no $PWD/adapter/include/mpi-adapter/mpi.h; install mpi-adapter again" ]
    man -l adapter/share/man/man1/mpicxx_abi.1 > page 2> warnings
    grep -q showme page
    diff /dev/null warnings
}

@test "pkg-config has the same flags, in the build tree as well" {
    [[ $build != *' '* ]] || skip "a shell does not read what pkg-config quotes"
    export PKG_CONFIG_PATH=$build/lib/pkgconfig
    # shellcheck disable=SC2046  # words
    cc -o ring "$top/tests/demo/ring.c" $(pkg-config --cflags --libs mpi-adapter-abi)
    on_mpich ./ring
    [[ $(mpicc_abi -showme:version) == *" $(pkg-config --modversion mpi-adapter-abi)" ]]
}

@test "programs with the names that MPI-3.0 removed compile if they ask for them, and do on both MPIs what they did" {
    cat > old.c << 'TEXT'
#include <mpi.h>
#include <stdio.h>
struct pair { double d; int i; };
static int failures, copied;
static void failed(MPI_Comm *comm, int *code, ...) { (void)comm; (void)code; failures++; }
static int copy(MPI_Comm comm, int key, void *extra, void *in, void *out, int *flag)
{
    (void)comm; (void)key; (void)extra;
    copied++, *flag = 1, *(void **)out = in;
    return MPI_SUCCESS;
}
static int check(int holds, const char *what) { if (!holds) printf("wrong: %s\n", what); return holds; }
int main(int argc, char **argv)
{
    struct pair pairs[2];
    int lengths[] = { 1, 1, 1, 1 }, blocks[] = { 1, 2 }, key, flag, value = 7, *got, good = 1, marker = 1;
    MPI_Datatype types[] = { MPI_LB, MPI_INT, MPI_DOUBLE, MPI_UB }, type, other;
    MPI_Aint at[4] = { -8, 0, 8, 40 }, base, next, extent, lower, upper, gaps[] = { 0, 16 };
    MPI_Handler_function *function = failed;
    MPI_Errhandler handler, same;
    MPI_Comm dup;
    MPI_Init(&argc, &argv);
    MPI_Address(&pairs[0], &base);
    MPI_Address(&pairs[1], &next);
    good &= check(next - base == (MPI_Aint)sizeof *pairs, "addresses");
    MPI_Type_struct(4, lengths, at, types, &type);
    MPI_Type_extent(type, &extent);
    MPI_Type_lb(type, &lower);
    MPI_Type_ub(type, &upper);
    good &= check(lower == -8 && upper == 40 && extent == 48, "bounds of a struct with markers");
    MPI_Type_struct(2, lengths + 1, at + 1, types + 1, &other);
    MPI_Type_lb(other, &lower);
    MPI_Type_extent(other, &extent);
    good &= check(lower == 0 && extent == 16, "bounds of a struct without");
    MPI_Type_free(&other);
    MPI_Type_struct(1, &marker, at + 3, types + 3, &other);
    MPI_Type_ub(other, &upper);
    good &= check(upper == 40, "a struct of a marker alone");
    MPI_Type_free(&other);
    MPI_Type_free(&type);
    MPI_Type_hvector(2, 1, 24, MPI_INT, &type);
    MPI_Type_extent(type, &extent);
    good &= check(extent == 28, "hvector");
    MPI_Type_free(&type);
    MPI_Type_hindexed(2, blocks, gaps, MPI_INT, &type);
    MPI_Type_extent(type, &extent);
    good &= check(extent == 24, "hindexed");
    MPI_Type_free(&type);
    MPI_Errhandler_create(function, &handler);
    MPI_Errhandler_set(MPI_COMM_SELF, handler);
    MPI_Errhandler_get(MPI_COMM_SELF, &same);
    good &= check(same == handler, "error handlers");
    MPI_Send(&value, 1, MPI_INT, 5, 0, MPI_COMM_SELF);
    good &= check(failures == 1, "the handler is called");
    MPI_Keyval_create(copy, MPI_NULL_DELETE_FN, &key, 0);
    MPI_Attr_put(MPI_COMM_SELF, key, &value);
    MPI_Comm_dup(MPI_COMM_SELF, &dup);
    MPI_Attr_get(dup, key, &got, &flag);
    good &= check(copied == 1 && flag && *got == 7, "attributes");
    MPI_Attr_delete(MPI_COMM_SELF, key);
    MPI_Comm_free(&dup);
    MPI_Keyval_free(&key);
    if (good)
        fputs("as before\n", stdout);
    return MPI_Finalize();
}
TEXT
    run ! mpicc_abi -Werror=implicit-function-declaration -c old.c
    mpicc_abi -std=c99 -Wall -Wextra -Werror -DMPI_ADAPTER_REMOVED -o old old.c
    mpicxx_abi -std=c++11 -Wall -Wextra -Werror -DMPI_ADAPTER_REMOVED -x c++ old.c -x none -o old.cxx
    [ "$(on_mpich ./old)" = $'as before\nas before' ]
    [ "$(on_openmpi ./old)" = $'as before\nas before' ]
    [ "$(on_openmpi ./old.cxx)" = $'as before\nas before' ]
    # It needs nothing that MPI-3.0 removed, or that a library of the standard ABI lacks.
    nm -D --undefined-only old > symbols
    run ! grep -E ' (mpi_adapter_|MPI_(Address|Attr_|Errhandler_(create|get|set)|Keyval_|Type_(struct|lb|ub|extent|hvector|hindexed)$))' symbols
}

@test "programs of the C++ bindings are told to use C's" {
    local header
    for header in mpicxx.h mpi++.h; do
        printf '#include <%s>\nint main() { MPI::Init(); MPI::Finalize(); }\n' $header > bindings.cc
        run ! mpicxx_abi -c bindings.cc
        [[ $output == *'MPI-3.0 removed the C++ bindings'*'call the procedures of C'* ]]
    done
}

@test "CMake's FindMPI finds them" {
    [[ $build != *' '* ]] || skip "FindMPI takes a path with a space for two"
    mkdir project
    cat > project/CMakeLists.txt << 'TEXT'
cmake_minimum_required(VERSION 3.12)
project(ring C CXX)
find_package(MPI REQUIRED)
add_executable(ring ring.c)
target_link_libraries(ring MPI::MPI_C)
add_executable(init init.cc)
target_link_libraries(init MPI::MPI_CXX)
message("STARTED BY ${MPIEXEC_EXECUTABLE} ${MPIEXEC_NUMPROC_FLAG} MPI ${MPI_C_VERSION}")
TEXT
    cp "$top/tests/demo/ring.c" project/ring.c
    printf '#include <mpi.h>\nint main() { MPI_Init(0, 0); return MPI_Finalize(); }\n' > project/init.cc
    cmake -C "$pairs/abi/mpi-abi.cmake" -S project -B made > log
    grep -qx "STARTED BY $build/bin/mpiexec_abi -n MPI 5.0" <(cmake made 2>&1)
    cmake --build made >> log
    readelf -d made/ring | grep -q 'NEEDED.*\[libmpi_abi.so.1\]'
    on_mpich made/ring
    on_openmpi made/init
    # Without the file: the compilers alone.
    cmake -DMPI_C_COMPILER=mpicc_abi -DMPI_CXX_COMPILER=mpicxx_abi -S project -B again > log
    cmake --build again >> log
    on_mpich again/init
}

@test "bash and zsh complete what the compilers know" {
    # completions WORD...
    completions() {
        bash -c '. "$1"; shift; COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)); _mpicc_abi; printf "%s\n" "${COMPREPLY[@]}"' \
            bash "$top/compile/completion.bash" "$@"
    }
    [ "$(completions mpicc_abi -sh | paste -sd ' ')" = '-show -showme -showme:' ]
    [ "$(completions mpicxx_abi -cx)" = -cxx= ]
    [ "$(completions mpicc_abi -showme : li | paste -sd ' ')" = 'link libdirs libs' ]
    [ "$(completions mpicc_abi -showme : | wc -l)" -eq 8 ]
    zsh -n "$top/compile/_mpicc_abi"
    shellcheck -s sh "$build/bin/mpicc_abi" "$build/bin/mpicxx_abi"
    shellcheck -s bash "$top/compile/completion.bash"
}
