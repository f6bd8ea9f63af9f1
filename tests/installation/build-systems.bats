#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# Build systems find the compilers of the standard ABI by the names that they look for, and start programs by mpiexec.

bats_require_minimum_version 1.5.0

top=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
build=$(cd "$top" && realpath -ms "${BUILD:-build}")
pairs=$build/lib/mpi-adapter
home=$pairs/abi
unset MAKEFLAGS MAKELEVEL MFLAGS LD_LIBRARY_PATH PKG_CONFIG_PATH MPI_HOME MPICC MPICXX MPIFC CC CXX FC MPI_ADAPTER_CC MPICH_CC OMPI_CC
unset MPI_ADAPTER_HOST MPI_ADAPTER_LAUNCHER
BUILD=$build
. "$top/tests/components.bash"
. "$top/tests/messages.bash"

setup() {
    [[ $build != *' '* ]] || skip "build systems take a path with a space for two"
    cd "$BATS_TEST_TMPDIR"
    PATH=$home/bin:$PATH
}

on_mpich() { timeout 120 mpiexec.mpich -genv LD_LIBRARY_PATH "$pairs/mpiabi-to-mpich" -n 2 "$@"; }
on_openmpi() { timeout 120 mpiexec.openmpi -x LD_LIBRARY_PATH="$pairs/mpiabi-to-openmpi" -n 2 "$@"; }

# is_ours FILE: of all libraries of MPI it needs the standard ABI's alone, or that for Fortran.
is_ours() {
    local needs
    needs=$(readelf -d "$1" | sed -n 's/.*NEEDED.*\[\(lib[^]]*mpi[^]]*\)\]/\1/p' | sort -u | paste -sd ' ' -)
    echo "$1 needs $needs"
    [[ $needs == libmpi_abi.so.1 || $needs == libmpi_adapter_fortran.so.1 || $needs == 'libmpi_abi.so.1 libmpi_adapter_fortran.so.1' ]]
}

@test "by the names that build systems look for, programs of each language are compiled and started" {
    local name
    cp "$top/tests/demo/ring.c" .
    printf '#include <mpi.h>\nint main() { MPI_Init(0, 0); return MPI_Finalize(); }\n' > init.cc
    printf 'program init\n  use mpi\n  integer :: error\n  call MPI_Init(error)\n  call MPI_Finalize(error)\nend program\n' > init.f90
    for name in mpicc mpicxx mpic++ mpiCC mpifort mpif90 mpif77 mpiexec mpirun; do
        [ "$(type -P $name)" = "$home/bin/$name" ]
        [[ $($name --version) != *'Open MPI'* ]]
    done
    for name in mpicxx mpic++ mpiCC; do
        $name -o "$name.out" init.cc
        is_ours "$name.out"
    done
    for name in mpifort mpif90 mpif77; do
        $name -o "$name.out" init.f90
        is_ours "$name.out"
    done
    mpicc -o ring ring.c
    is_ours ring
    on_openmpi ./mpiCC.out
    on_mpich ./mpif77.out
    [[ $(mpiexec -n 2 ./ring) == 'ring on 2 ranks, '*': verified' ]]
}

@test "the folder is an MPI's prefix for what wants one: bin, include, lib with libmpi.so" {
    cp "$top/tests/demo/ring.c" .
    printf '%s\n' 'ring: ring.c' $'\tcc -I$(MPI_HOME)/include -o $@ $< -L$(MPI_HOME)/lib -lmpi' > Makefile
    make MPI_HOME="$home"
    is_ours ring
    on_mpich ./ring
}

@test "mpiexec takes what build systems give to any: numbers, several programs, programs that show no MPI" {
    mpicc -o ring "$top/tests/demo/ring.c"
    [[ $(mpiexec -np 2 -oversubscribe --to mpich ./ring) == 'ring on 2 ranks, MPICH'*': verified' ]]
    [[ $(env -u OMPI_ALLOW_RUN_AS_ROOT -u OMPI_ALLOW_RUN_AS_ROOT_CONFIRM mpirun --allow-run-as-root --np 3 --to=openmpi ./ring) == \
        'ring on 3 ranks, Open MPI'*': verified' ]]
    [[ $(mpiexec -n 1 ./ring : -n 2 ./ring) == 'ring on 3 ranks, '*': verified' ]]
    unless_dropped run mpiexec -n 2 echo -n 7
    [ "$status $output" = '0 77' ]
    [ "$(mpiexec --version)" = "mpiexec_abi (MPI-Adapter) $(sed -n 's/^VERSION := //p' "$top/Makefile")" ]
    [[ $(mpiexec -help) == 'Usage: mpiexec_abi '*'-n N'* ]]
    unless_dropped run mpiexec -n 1 sh -c 'exit 3'
    [ "$status" -eq 3 ]
    run -2 mpiexec -n none ./ring
    [[ $output == "mpi-adapter: -n 'none' is not a positive number; "* ]]
    run -2 mpiexec -no-such-option ./ring
    [[ $output == *"unknown option '-no-such-option'"* ]]
    shellcheck -s sh "$build/bin/mpiexec_abi"
    mkdir alone
    cp "$build/bin/mpiexec_abi" alone
    run -1 alone/mpiexec_abi ./ring
    [ "$output" = "mpi-adapter: there is no $PWD/alone/mpi-adapter; install mpi-adapter again" ]
}

@test "a program that shows no MPI is of the compilers' ABI, and one that shows another MPI is of that" {
    cat > opens.c << 'TEXT'
#include <dlfcn.h>
#include <stddef.h>
int main(int argc, char **argv)
{
    void *library = dlopen(argv[argc - 1], RTLD_NOW);
    int (*start)(void) = library ? (int (*)(void))dlsym(library, "start") : NULL;
    return start ? start() : 9;
}
TEXT
    sed 's/^int main(int argc, char \*\*argv)/int start(void)/; s/MPI_Init(&argc, &argv)/MPI_Init(0, 0)/' "$top/tests/demo/ring.c" > ring.c
    grep -q '^int start(void)' ring.c
    mpicc -shared -fPIC -o plugin.so ring.c
    cc -o opens opens.c -ldl
    [[ $(mpiexec -n 2 ./opens ./plugin.so) == 'ring on 2 ranks, '*': verified' ]]
    mpicc.openmpi -o native "$top/tests/demo/ring.c"
    [[ $(mpiexec -n 2 ./native) == 'ring on 2 ranks, Open MPI'*': verified' ]]
    # Neither a rank nor what it starts assumes anything. MPICH's launcher loses ranks that end at once, natively, too.
    [ "$(mpiexec -n 1 sh -c './opens ./plugin.so > /dev/null; echo "${MPI_ADAPTER_FROM-none}"')" = none ]
}

@test "the launcher of the machine's MPI is found behind this mpiexec, by run, by exec and by itself" {
    local only="$PWD/only"
    mkdir "$only"
    mpicc -o ring "$top/tests/demo/ring.c"
    # An MPI whose launcher has no other name, behind ours.
    printf '#!/bin/sh\nexec %s "$@"\n' "$(type -P mpiexec.mpich)" > "$only/mpiexec"
    chmod +x "$only/mpiexec"
    for name in env readlink sh; do ln -s "$(type -P $name)" "$only/$name"; done
    run env PATH="$home/bin:$only" mpiexec -v -n 2 ./ring
    echo "$output"
    [[ $output == *"launcher $only/mpiexec"*'ring on 2 ranks, MPICH'*': verified'* ]]
    run env PATH="$home/bin:$only" "$build/bin/mpi-adapter" exec -- mpiexec -n 2 ./ring
    echo "$output"
    [[ $output == *'ring on 2 ranks, MPICH'*': verified' ]]
}

@test "CMake finds the compilers and mpiexec by PATH, and by MPI_HOME, and CTest starts programs" {
    local word
    mkdir project
    cat > project/CMakeLists.txt << 'TEXT'
cmake_minimum_required(VERSION 3.12)
project(ring C CXX Fortran)
find_package(MPI REQUIRED)
enable_testing()
add_executable(ring ring.c)
target_link_libraries(ring MPI::MPI_C)
add_executable(first first.f90)
target_link_libraries(first MPI::MPI_Fortran)
foreach(program ring first)
    add_test(NAME ${program} COMMAND ${MPIEXEC_EXECUTABLE} ${MPIEXEC_NUMPROC_FLAG} 2 ${MPIEXEC_PREFLAGS} $<TARGET_FILE:${program}> ${MPIEXEC_POSTFLAGS})
endforeach()
message("FOUND ${MPIEXEC_EXECUTABLE} ${MPIEXEC_NUMPROC_FLAG} ${MPI_C_VERSION} ${MPI_Fortran_HAVE_F08_MODULE}")
TEXT
    cp "$top/tests/demo/ring.c" project/
    printf 'program first\n  use mpi_f08\n  call MPI_Init()\n  call MPI_Finalize()\nend program\n' > project/first.f90
    for word in PATH MPI_HOME; do
        if [ $word = PATH ]; then
            cmake -S project -B $word > log 2>&1
        else
            PATH=${PATH#"$home/bin:"} MPI_HOME=$home cmake -S project -B $word > log 2>&1
        fi
        cat log
        grep -qx "FOUND $home/bin/mpiexec -n 5.0 TRUE" log
        cmake --build $word >> log
        is_ours $word/ring
        is_ours $word/first
    done
    # As in the shell that configured it.
    (cd PATH && ctest --output-on-failure)
}

@test "CMake keeps another MPI that it has found before, until its variables are removed or the file is given" {
    mkdir project
    printf '%s\n' 'cmake_minimum_required(VERSION 3.12)' 'project(ring C)' 'find_package(MPI REQUIRED)' 'add_executable(ring ring.c)' \
        'target_link_libraries(ring MPI::MPI_C)' > project/CMakeLists.txt
    cp "$top/tests/demo/ring.c" project/
    for way in "-U MPI*" "-C $home/mpi-abi.cmake"; do
        rm -rf made
        cmake -S project -B made -DMPI_C_COMPILER="$(type -P mpicc.openmpi)" > log
        cmake -S project -B made >> log
        cmake --build made >> log
        run ! is_ours made/ring
        # shellcheck disable=SC2086  # words
        (set -f && cmake -S project -B made $way >> log)
        [[ $way != -U* ]] || (set -f && cmake -S project -B made -DMPI_C_COMPILER="$home/bin/mpicc" >> log)
        cmake --build made >> log
        is_ours made/ring
    done
    # Once ours, what the user says stays.
    cmake -C "$home/mpi-abi.cmake" -S project -B made -DMPIEXEC_MAX_NUMPROCS=7 >> log
    cmake -C "$home/mpi-abi.cmake" -S project -B made >> log
    grep -x 'MPIEXEC_MAX_NUMPROCS:STRING=7' made/CMakeCache.txt
}

@test "Meson finds the compilers by PATH and PKG_CONFIG_PATH, where another MPI has files for pkg-config" {
    type -P meson > /dev/null || skip 'there is no meson'
    local language
    export PKG_CONFIG_PATH=$home/lib/pkgconfig
    mkdir project
    cat > project/meson.build << 'TEXT'
project('ring', 'c', 'cpp', 'fortran')
executable('ring', 'ring.c', dependencies : dependency('mpi'))
executable('init', 'init.cc', dependencies : dependency('mpi', language : 'cpp'))
executable('first', 'first.f90', dependencies : dependency('mpi', language : 'fortran'))
TEXT
    cp "$top/tests/demo/ring.c" project/
    printf '#include <mpi.h>\nint main() { MPI_Init(0, 0); return MPI_Finalize(); }\n' > project/init.cc
    printf 'program first\n  use mpi_f08\n  call MPI_Init()\n  call MPI_Finalize()\nend program\n' > project/first.f90
    meson setup made project > log 2>&1 || { cat log; false; }
    ninja -C made >> log 2>&1 || { cat log; false; }
    for name in ring init first; do is_ours made/$name; done
    on_openmpi made/ring
    on_mpich made/first
}

@test "pkg-config gives the flags by the names of other MPIs, and says where those of Fortran are" {
    local name
    export PKG_CONFIG_PATH=$home/lib/pkgconfig
    for name in mpi mpi-c mpi-cxx ompi ompi-c ompi-cxx mpich; do
        # shellcheck disable=SC2046  # words
        cc -o ring "$top/tests/demo/ring.c" $(pkg-config --cflags --libs $name)
        is_ours ring
    done
    on_mpich ./ring
    for name in mpi-fort ompi-fort; do
        run pkg-config --cflags $name
        [ "$status" -ne 0 ]
        [[ $output == *mpifort-which-knows-the-flags* ]]
    done
}

@test "Autoconf's test programs run on the MPI that is there, and link with what it looks for" {
    type -P autoconf > /dev/null || skip 'there is no autoconf'
    cat > configure.ac << 'TEXT'
AC_INIT([ring], [1])
AC_PROG_CC
AC_PROG_FC
AC_CHECK_FUNCS([MPI_Init MPI_Comm_c2f MPI_Type_f2c PMPI_Status_c2f MPI_No_such])
AC_MSG_CHECKING([whether C runs])
AC_RUN_IFELSE([AC_LANG_PROGRAM([[#include <mpi.h>]],
    [[int size; MPI_Init(0, 0); MPI_Comm_size(MPI_COMM_WORLD, &size); MPI_Finalize(); return size != 1;]])],
    [AC_MSG_RESULT([yes])], [AC_MSG_RESULT([no])])
AC_LANG([Fortran])
AC_FC_SRCEXT([f90])
AC_MSG_CHECKING([whether Fortran runs])
AC_RUN_IFELSE([AC_LANG_SOURCE([[program first
  use mpi_f08
  call MPI_Init()
  call MPI_Finalize()
end program]])], [AC_MSG_RESULT([yes])], [AC_MSG_RESULT([no])])
AC_OUTPUT
TEXT
    autoconf
    # None of these is needed: nothing tells where a pair is.
    env -u LD_LIBRARY_PATH ./configure CC=mpicc FC=mpifort > log 2>&1 || { cat config.log; false; }
    cat log
    grep -q 'cross compiling\.\.\. no' log
    for found in 'for MPI_Init' 'for MPI_Comm_c2f' 'for MPI_Type_f2c' 'for PMPI_Status_c2f' 'whether C runs' 'whether Fortran runs'; do
        grep -qx "checking $found\.\.\. yes" log || { cat config.log; false; }
    done
    grep -qx 'checking for MPI_No_such\.\.\. no' log
}

@test "a test program of configure has its arguments, status and output, and no other program a path" {
    local name
    cat > words.c << 'TEXT'
#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    for (int i = 1; i < argc; i++)
        puts(argv[i]);
    MPI_Finalize();
    return argc;
}
TEXT
    printf 'int main(void) { return 0; }\n' > none.c
    mpicc -o conftest words.c
    run -3 ./conftest 'a b' -n
    [ "$output" = $'a b\n-n' ]
    # One that uses no MPI needs none.
    mpicc -o conftest none.c
    run ! grep -F libmpi_abi <(readelf -d conftest)
    env -i ./conftest
    for name in conftester aconftest ring; do
        mpicc -o $name words.c
        run ! grep -E 'RPATH|RUNPATH' <(readelf -d $name)
    done
    # PETSc's configure links this to see how the compiler calls the linker, and gives its libraries each folder that it finds.
    for name in -v --verbose '-###'; do
        run ! grep -F abi/conftest <(mpicc "$name" -o conftest words.c 2>&1)
    done
    # It says where no MPI is found, and does not go round.
    mpicc -o conftest words.c
    MPI_ADAPTER_HOST_LIBRARY=/no/such/library run ! ./conftest
    [[ $output == 'mpi-adapter: '*'; '* && $output != *$'\n'* ]]
}

@test "programs that refer to MPI_Comm_c2f and its kin without the header have them themselves, hidden from others" {
    cat > declares.c << 'TEXT'
int MPI_Comm_c2f(void *);
void *MPI_Comm_f2c(int);
int same(void *comm);
int same(void *comm) { return MPI_Comm_f2c(MPI_Comm_c2f(comm)) == comm; }
TEXT
    printf '#include <mpi.h>\nint same(MPI_Comm);\nint MPI_Type_c2f_own;\n%s\n' \
        'int main(void) { int good; MPI_Init(0, 0); good = same(MPI_COMM_SELF); MPI_Finalize(); return !good; }' > uses.c
    mpicc -shared -fPIC -Wl,-z,defs -o libdeclares.so declares.c
    nm -D libdeclares.so > symbols
    run ! grep -E ' MPI_Comm_(c2f|f2c)$' symbols
    mpicc -Wl,--fatal-warnings -o uses uses.c -L. -ldeclares
    mpicc -o uses uses.c declares.c
    on_mpich ./uses
    on_openmpi ./uses
    # A program's own stay its own.
    sed 's/^#include <mpi.h>/#define MPI_ADAPTER_NO_FORTRAN\n&\nMPI_Fint MPI_Comm_c2f(MPI_Comm c) { return c != 0; }/' uses.c > own.c
    printf 'int MPI_Type_c2f(void *); int same(void *c) { return c && MPI_Type_c2f(c) == 0x102; }\n' > other.c
    mpicc -o own own.c other.c
}

@test "setuptools, scikit-build-core and R compile extensions, which mpiexec starts" {
    local python=${PYTHON:-/usr/bin/python3}
    cat > size.c << 'TEXT'
#include <Python.h>
#include <mpi.h>
static PyObject *size(PyObject *self, PyObject *none)
{
    int size;
    (void)self; (void)none;
    MPI_Init(0, 0);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Finalize();
    return PyLong_FromLong(size);
}
static PyMethodDef methods[] = { { "size", size, METH_NOARGS, "" }, { 0, 0, 0, 0 } };
static struct PyModuleDef module = { PyModuleDef_HEAD_INIT, "size", "", -1, methods, 0, 0, 0, 0 };
PyMODINIT_FUNC PyInit_size(void) { return PyModule_Create(&module); }
TEXT
    printf '%s\n' 'from setuptools import Extension, setup' 'setup(name="size", ext_modules=[Extension("size", ["size.c"])])' > setup.py
    CC=mpicc LDSHARED='mpicc -shared' "$python" setup.py -q build_ext --inplace > log 2>&1 || { cat log; false; }
    is_ours size.*.so
    # Two lines at once may stand in one.
    [ "$(mpiexec -n 2 "$python" -c 'import size; print(size.size())' | tr -d '\n')" = 22 ]
    if type -P R > /dev/null; then
        printf '%s\n' '#include <mpi.h>' 'void start(int *size) { MPI_Init(0, 0); MPI_Comm_size(MPI_COMM_WORLD, size); MPI_Finalize(); }' > start.c
        PKG_CPPFLAGS=$(mpicc -showme:compile) PKG_LIBS=$(mpicc -showme:link) R CMD SHLIB start.c > log 2>&1 || { cat log; false; }
        is_ours start.so
        printf '%s\n' 'dyn.load("start.so")' 'cat(.C("start", size = 0L)$size)' > start.R
        [ "$(mpiexec -n 2 Rscript start.R | tr -d '\n')" = 22 ]
    fi
    "$python" -c 'import scikit_build_core' 2> /dev/null || return 0
    printf '%s\n' '[build-system]' 'requires = []' 'build-backend = "scikit_build_core.build"' '[project]' 'name = "size"' 'version = "1"' > pyproject.toml
    printf '%s\n' 'cmake_minimum_required(VERSION 3.18)' 'project(size C)' 'find_package(Python REQUIRED COMPONENTS Interpreter Development.Module)' \
        'find_package(MPI REQUIRED)' 'Python_add_library(size MODULE size.c)' 'target_link_libraries(size PRIVATE MPI::MPI_C)' \
        'install(TARGETS size DESTINATION .)' > CMakeLists.txt
    "$python" -c 'import scikit_build_core.build as build; build.build_wheel(".")' > log 2>&1 || { cat log; false; }
    "$python" -m zipfile -e size-1-*.whl wheel
    is_ours wheel/size*.so
}

@test "programs are linked with libraries that need the standard ABI's, whatever links them" {
    printf '#include <mpi.h>\nint start(void) { int begun = 0; return MPI_Initialized(&begun) + begun; }\n' > start.c
    printf 'subroutine go()\n  use mpi_f08\n  logical :: begun\n  call MPI_Initialized(begun)\nend subroutine\n' > go.f90
    printf 'int start(void);\nvoid go_(void);\nint main(void) { go_(); return start(); }\n' > both.c
    mpicc -shared -fPIC -o libstart.so start.c
    mpifort -shared -fPIC -o libgo.so go.f90
    mpicc -Wl,--fatal-warnings -o both both.c -L. -lstart -lgo
    # shellcheck disable=SC2046  # words
    cc -Wl,--fatal-warnings -o both both.c -L. -lstart -lgo $(PKG_CONFIG_PATH=$home/lib/pkgconfig pkg-config --libs mpi-c)
    # Nothing of that is written into it.
    run ! grep -E 'RPATH|RUNPATH' <(readelf -d both)
    LD_LIBRARY_PATH=$PWD:$pairs/mpiabi-to-mpich ./both
}

@test "for another processor, that one's library is linked with, by the compilers of that installation" {
    type -P aarch64-linux-gnu-gcc > /dev/null || skip 'there is no compiler for aarch64'
    mkdir -p other/bin other/lib/mpi-adapter/abi other/include
    cp "$build"/bin/mpicc_abi other/bin
    cp -r "$build/include/mpi-adapter" other/include
    aarch64-linux-gnu-gcc -shared -fPIC -I"$build/include/mpiabi" -Wl,-soname,libmpi_abi.so.1 -o other/lib/mpi-adapter/abi/libmpi_abi.so \
        "$top/compile/stub.c"
    aarch64-linux-gnu-gcc -fPIC -Iother/include/mpi-adapter -c -o handles.o "$top/compile/handles.c"
    ar rcs other/lib/mpi-adapter/abi/libmpi_adapter_compat.a handles.o
    MPI_ADAPTER_CC=aarch64-linux-gnu-gcc other/bin/mpicc_abi -o ring "$top/tests/demo/ring.c"
    is_ours ring
    readelf -h ring | grep -q AArch64
    run ! env MPI_ADAPTER_CC=aarch64-linux-gnu-gcc mpicc_abi -o ring "$top/tests/demo/ring.c"
}

@test "conda's scripts put the names first while the environment is active, and take back what they set" {
    local name
    mkdir -p env/lib
    ln -s "$pairs" env/lib/mpi-adapter
    export CONDA_PREFIX=$PWD/env
    for name in 'unset MPI_HOME PKG_CONFIG_PATH' 'export MPI_HOME=/some/where PKG_CONFIG_PATH=/some/lib'; do
        eval "$name"
        # Conda's way, in a shell that stops at anything.
        dash -euc '
            . "$1/activate.sh"
            [ "$(command -v mpicc)" = "$CONDA_PREFIX/lib/mpi-adapter/abi/bin/mpicc" ]
            [ "$MPI_HOME" = "$CONDA_PREFIX/lib/mpi-adapter/abi" ]
            . "$1/deactivate.sh"
            export -p' dash "$top/packaging/conda" > after
        dash -euc 'export -p' > before
        diff before after
    done
    shellcheck "$top"/packaging/conda/*activate.sh
}
