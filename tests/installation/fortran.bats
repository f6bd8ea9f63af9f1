#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# The tools that compile Fortran programs of the standard ABI: mpifort_abi, modules and their cache, the library.

bats_require_minimum_version 1.5.0

top=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
build=$(cd "$top" && realpath -ms "${BUILD:-build}")
pairs=$build/lib/mpi-adapter
abi=$pairs/abi
include=$build/include/mpi-adapter
unset MAKEFLAGS MAKELEVEL MFLAGS LD_LIBRARY_PATH MPI_ADAPTER_FC MPICH_FC OMPI_FC MPI_ADAPTER_CACHE
BUILD=$build
. "$top/tests/components.bash"

setup() {
    cd "$BATS_TEST_TMPDIR"
    PATH=$build/bin:$PATH
    export XDG_CACHE_HOME=$PWD/cache
}

on_mpich() { timeout 60 mpiexec.mpich -genv LD_LIBRARY_PATH "$pairs/mpiabi-to-mpich" -n 2 "$@"; }
on_openmpi() { timeout 60 mpiexec.openmpi -x LD_LIBRARY_PATH="$pairs/mpiabi-to-openmpi" -n 2 "$@"; }

# ring USE DECLARE REQUEST: a program of one of the interfaces, in ring.f90.
ring() {
    cat > ring.f90 << TEXT
program ring
  $1
  implicit none
  $2
  $3 :: request
  integer :: me, total, next, value, error
  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, me, error)
  call MPI_Comm_size(MPI_COMM_WORLD, total, error)
  next = mod(me + 1, total)
  call MPI_Irecv(value, 1, MPI_INTEGER, MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, request, error)
  call MPI_Send(me, 1, MPI_INTEGER, next, 7, MPI_COMM_WORLD, error)
  call MPI_Wait(request, MPI_STATUS_IGNORE, error)
  call MPI_Allreduce(MPI_IN_PLACE, value, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, error)
  if (me == 0 .and. value == 1) print '(a)', 'verified'
  call MPI_Finalize(error)
end program
TEXT
}

# A Fortran compiler, gfortran in truth, that says it is another one: fake NAME WORDS.
fake() {
    printf '#!/bin/sh\n[ "$*" != -v ] || { printf "%%s\\n" "%s" "Target: here-linux-gnu" >&2; exit; }\nexec gfortran "$@"\n' "$2" > "$1"
    chmod +x "$1"
}

cached() { find "$XDG_CACHE_HOME" -mindepth 3 -maxdepth 3 | LC_ALL=C sort; }

@test "compiled once, a program of each interface runs on both MPIs" {
    local interface
    for interface in "|include 'mpif.h'|integer" 'use mpi||integer' 'use mpi_f08||type(MPI_Request)'; do
        IFS='|' read -r use declare request <<< "$interface"
        ring "$use" "$declare" "$request"
        mpifort_abi -o ring ring.f90
        readelf -d ring > needs
        grep -q 'NEEDED.*\[libmpi_adapter_fortran.so.1\]' needs
        run ! grep -q 'RPATH\|RUNPATH' needs
        [ "$(on_mpich ./ring)" = verified ]
        [ "$(on_openmpi ./ring)" = verified ]
        [ "$(mpi-adapter run -n 2 --to mpich ./ring)" = verified ]
        # The pair's link to the Fortran library leads to its procedures.
        mpi-adapter check --to mpich ./ring > verdict
        cat verdict
        grep -q 'runs here: *yes' verdict
        run ! grep -q missing: verdict
        mpi-adapter explain ./ring > calls
        cat calls
        grep -q ' 0 missing$' calls
        run ! grep -q ' [1-9][0-9]* missing$' calls
    done
}

# links_all: a program that refers to each symbol of the list `stored` is linked with the library.
links_all() {
    { sed 's/.*/extern char &[];/' stored; echo 'char *all[] = {'; sed 's/$/,/' stored; echo '}; int main(void) { return all[0] == 0; }'; } > all.c
    mpicc_abi -w -o all all.c -L"$abi" -lmpi_adapter_fortran
}

@test "the library has the symbols of the stored list, and a program of any of them is linked and starts" {
    sed '/^#/d' "$top/compile/fortran.symbols" > stored
    nm -D --defined-only "$pairs/fortran/libmpi_adapter_fortran.so.1" | awk '$2 != "A" { print $3 }' | LC_ALL=C sort > has
    diff <(sed 's/$/@@MPI_ADAPTER_FORTRAN_1/' stored) has
    links_all
    nm -D --undefined-only all | awk '$2 ~ /@MPI_ADAPTER_FORTRAN_1$/ { sub(/@.*/, "", $2); print $2 }' | LC_ALL=C sort > referred
    # Data is copied into the program, and is no reference.
    nm -D --defined-only all | awk '{ sub(/@.*/, "", $3); print $3 }' | LC_ALL=C sort > copied
    [ "$(wc -l < referred)" -gt 2000 ]
    diff stored <(LC_ALL=C sort -m referred <(LC_ALL=C comm -12 stored copied))
    LD_LIBRARY_PATH=$pairs/mpiabi-to-mpich LD_BIND_NOW=1 ./all
    echo mpi_gone_ >> stored
    run ! links_all
}

@test "what runs programs is one library with its license, in any folder" {
    ring 'use mpi_f08' '' 'type(MPI_Request)'
    mpifort_abi -Wl,-rpath,"\$ORIGIN/run time/lib" -o ring ring.f90
    make -C "$top" --no-print-directory BUILD="$build" PREFIX="$PWD/first" install-runtime > log 2>&1 || { cat log; return 1; }
    mv first 'run time'
    [ "$(cd 'run time' && find . -type f | LC_ALL=C sort | paste -sd ' ')" = \
        './lib/libmpi_adapter_fortran.so.1 ./share/doc/mpi-adapter-runtime/LICENSE' ]
    run ! grep -E 'RPATH|RUNPATH' <(readelf -d 'run time/lib/libmpi_adapter_fortran.so.1')
    # A folder with the standard ABI's library alone, as an MPI has that.
    mkdir other
    ln -s "$pairs/mpiabi-to-mpich/libmpi_abi.so.1" "$pairs/mpiabi-to-mpich/pair.conf" other
    [ "$(timeout 60 mpiexec.mpich -genv LD_LIBRARY_PATH "$PWD/other" -n 2 ./ring)" = verified ]
    mv 'run time' gone
    LD_LIBRARY_PATH=$PWD/other run -127 ./ring
    [[ $output == *'libmpi_adapter_fortran.so.1: cannot open shared object file'* ]]
}

# buffers_program: writes buffers.f90, which prints `verified` on two ranks.
buffers_program() {
    cat > buffers.f90 << 'TEXT'
program buffers
  use mpi_f08
  implicit none
  integer :: me, total, both(2), part(3), i, plane(2, 3)
  double precision :: received(6)
  character(len=40) :: text
  integer(kind=MPI_COUNT_KIND) :: one = 1
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, me)
  call MPI_Allreduce(me + 1, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
  call check(total == 3)
  call PMPI_Allreduce(me + 1, total, one, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
  call check(total == 3)
  call MPI_Allreduce(MPI_IN_PLACE, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
  call check(total == 6)
  call MPI_Allgather(2 * me, 1, MPI_INTEGER, both, 1, MPI_INTEGER, MPI_COMM_WORLD)
  call check(all(both == [0, 2]))
  text = merge('from the root', '             ', me == 0)
  call MPI_Bcast(text, len(text), MPI_CHARACTER, 0, MPI_COMM_WORLD)
  call check(text == 'from the root')
  call MPI_F_sync_reg(text)
  plane = me + 1
  if (me == 0) then
    call MPI_Send(me + 2.5d0, 1, MPI_DOUBLE_PRECISION, 1, 0, MPI_COMM_WORLD)
    call MPI_Send([(i * 1d0, i = 1, 6)], 6, MPI_DOUBLE_PRECISION, 1, 0, MPI_COMM_WORLD)
    call sends([1, 9, 2, 9, 3, 9])
    call MPI_Send(plane, 6, MPI_INTEGER, 1, 0, MPI_COMM_WORLD)
  else
    call MPI_Recv(received, 1, MPI_DOUBLE_PRECISION, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
    call check(received(1) == 2.5d0)
    call MPI_Recv(received, 6, MPI_DOUBLE_PRECISION, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
    call check(all(received == [1, 2, 3, 4, 5, 6]))
    call MPI_Recv(part, 3, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
    call check(all(part == [1, 2, 3]))
    call MPI_Recv(part, 3, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
    call check(all(part == [1, 9, 2]))
    call MPI_Recv(plane(:, :), 6, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
    call check(all(plane == 1))
    plane = 7
  end if
  if (me == 1) call MPI_Send(plane(2, :), 3, MPI_INTEGER, 0, 0, MPI_COMM_WORLD)
  if (me == 0) call MPI_Recv(plane(1, :), 3, MPI_INTEGER, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
  if (me == 0) call check(all(plane(1, :) == 7) .and. all(plane(2, :) == 1))
  if (me == 0) print '(a)', 'verified'
  call MPI_Finalize()
contains
  subroutine sends(whole)
    integer, intent(in) :: whole(*)
    call MPI_Send(whole(1:5:2), 3, MPI_INTEGER, 1, 0, MPI_COMM_WORLD)
    call MPI_Send(whole, 3, MPI_INTEGER, 1, 0, MPI_COMM_WORLD)
  end subroutine
  subroutine check(holds)
    logical, intent(in) :: holds
    if (.not. holds) call MPI_Abort(MPI_COMM_WORLD, 1)
  end subroutine
end program
TEXT
}

@test "programs of each LLVM flang run with the same library, buffers by the standard's descriptors" {
    local compiler found=''
    buffers_program
    ring 'use mpi_f08' '' 'type(MPI_Request)'
    for compiler in flang flang-new flang-new-19 flang-new-22; do
        type -P $compiler > /dev/null || continue
        found=yes
        mpifort_abi -fc=$compiler -o ring ring.f90
        [ "$(on_mpich ./ring)" = verified ]
        mpifort_abi -fc=$compiler -o buffers buffers.f90
        [ "$(on_mpich ./buffers)" = verified ]
        [ "$(on_openmpi ./buffers)" = verified ]
    done
    [ "$found" ] || skip 'no LLVM flang is on this machine'
}

# The run-time library gives the version, not the compiler, so that no compiler here makes descriptors of version 0.
@test "array descriptors of gfortran before 12 are known, whose version is 0, and no others" {
    cat > old.c << 'TEXT'
#include <mpi.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
extern void mpi_bcast_f08ts_(void *buffer, int *count, int *datatype, int *root, int *comm, int *error);
int main(int argc, char **argv)
{
    int values[6] = { 0 }, count = 3, rank, root = 0, error = -1, class = -1;
    struct {
        void *base;
        size_t size;
        int32_t version;
        int8_t rank, rest[3];
        struct { ptrdiff_t lower, extent, stride; } dimension[1];
    } every_other = { values, sizeof *values, atoi(argv[1]), 1, { 0 }, { { 0, 3, 2 * sizeof *values } } };
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    for (int i = 0; i < 6; i++)
        values[i] = rank == 0 ? i : 10;
    int comm = MPI_Comm_toint(MPI_COMM_WORLD), datatype = MPI_Type_toint(MPI_INT32_T);
    mpi_bcast_f08ts_(&every_other, &count, &datatype, &root, &comm, &error);
    MPI_Error_class(error, &class);
    if (rank == 1)
        printf("%d:", class == MPI_ERR_BUFFER);
    for (int i = 0; rank == 1 && i < 6; i++)
        printf(" %d", values[i]);
    return MPI_Finalize();
}
TEXT
    mpicc_abi -o old old.c -L"$abi" -lmpi_adapter_fortran
    for version in 0 1; do
        [ "$(on_mpich ./old $version)" = '0: 0 10 2 10 4 10' ]
        [ "$(on_openmpi ./old $version)" = '0: 0 10 2 10 4 10' ]
    done
    [ "$(on_mpich ./old 2 2> said)" = '1: 10 10 10 10 10 10' ]
    grep -F 'an array has a descriptor of the unknown version 2' said
}

# gfortran with the descriptors of BIND(C) procedures, as flang has: standard.
standard() {
    printf '%s\n' '#!/bin/sh' '[ "$*" != -v ] || { printf "%s\n" "gcc version 99.1.0" "Target: here-linux-gnu" >&2; exit; }' \
        'exec gfortran -U__GFORTRAN__ "$@"' > standard
    chmod +x standard
}

@test "values of expressions, CHARACTER variables, sections and assumed-size arrays arrive, by gfortran's descriptors and the standard's" {
    local kind
    standard
    buffers_program
    mpifort_abi -o f08gf buffers.f90
    mpifort_abi -fc="$PWD/standard" -o f08ts buffers.f90
    for kind in f08gf f08ts; do
        nm $kind > symbols
        grep -q "mpi_allreduce_${kind}_" symbols
        [ "$(on_mpich ./$kind)" = verified ]
        [ "$(on_openmpi ./$kind)" = verified ]
    done
}

@test "a tool that defines MPI_Send_f08ts sees blocking calls of mpi_f08, and calls PMPI_Send" {
    local pair
    cat > tool.f90 << 'TEXT'
subroutine MPI_Send_f08ts(buf, count, datatype, dest, tag, comm, ierror) bind(C, name='mpi_send_f08ts_')
  use mpi_f08, only: MPI_Datatype, MPI_Comm, PMPI_Send
  implicit none
  type(*), dimension(..), intent(in) :: buf
  integer, intent(in) :: count, dest, tag
  type(MPI_Datatype), intent(in) :: datatype
  type(MPI_Comm), intent(in) :: comm
  integer, optional, intent(out) :: ierror
  print '(2(a,i0))', 'seen: rank ', rank(buf), ', count ', count
  call PMPI_Send(buf, count, datatype, dest, tag, comm, ierror)
end subroutine
TEXT
    cat > seen.f90 << 'TEXT'
program seen
  use mpi_f08
  implicit none
  integer :: plane(2, 3) = reshape([1, 2, 3, 4, 5, 6], [2, 3]), got(6)
  type(MPI_Request) :: request
  call MPI_Init()
  call begin()
  call MPI_Send(7, 1, MPI_INTEGER, 0, 0, MPI_COMM_SELF)
  call check([7], 'a scalar')
  call begin()
  call MPI_Send(plane, 6, MPI_INTEGER, 0, 0, MPI_COMM_SELF)
  call check([1, 2, 3, 4, 5, 6], 'an array')
  call begin()
  call MPI_Send(plane(2, :), 3, MPI_INTEGER, 0, 0, MPI_COMM_SELF)
  call check([2, 4, 6], 'a section')
  call begin()
  call PMPI_Send(plane(1, :), 3, MPI_INTEGER, 0, 0, MPI_COMM_SELF)
  call check([1, 3, 5], 'a section by the profiling interface')
  call MPI_Finalize()
contains
  subroutine begin()
    got = 0
    call MPI_Irecv(got, 6, MPI_INTEGER, 0, 0, MPI_COMM_SELF, request)
  end subroutine
  subroutine check(want, what)
    integer, intent(in) :: want(:)
    character(len=*), intent(in) :: what
    call MPI_Wait(request, MPI_STATUS_IGNORE)
    if (all(got(:size(want)) == want)) print '(a)', what
  end subroutine
end program
TEXT
    mpifort_abi -shared -fPIC -o tool.so tool.f90
    mpifort_abi -o seen seen.f90
    printf '%s\n' 'a scalar' 'an array' 'a section' 'a section by the profiling interface' > without
    printf '%s\n' 'seen: rank 0, count 1' 'a scalar' 'seen: rank 2, count 6' 'an array' 'seen: rank 1, count 3' 'a section' \
        'a section by the profiling interface' > with
    for pair in mpiabi-to-mpich mpiabi-to-openmpi; do
        LD_LIBRARY_PATH=$pairs/$pair timeout 60 ./seen > said
        diff without said
        LD_LIBRARY_PATH=$pairs/$pair LD_PRELOAD=$PWD/tool.so timeout 60 ./seen > said
        diff with said
    done
}

@test "buffers that stay in use are not copied: components, substrings and pointers to them" {
    local run
    cat > kept.f90 << 'TEXT'
program kept
  use mpi_f08
  implicit none
  type pair
    integer :: a = 0, b = 0
  end type
  type(pair), target, asynchronous :: pairs(4)
  character(len=5), asynchronous :: words(4)
  complex, asynchronous :: numbers(4)
  integer, pointer, asynchronous :: points(:)
  integer, pointer :: nothing(:, :)
  integer, target, asynchronous :: whole(4)
  integer :: four(4) = [1, 2, 3, 4], got(4)
  integer(kind=MPI_ADDRESS_KIND) :: first, second
  type(MPI_Request) :: request
  call MPI_Init()
  call MPI_Irecv(pairs%a, 4, MPI_INTEGER, 0, 0, MPI_COMM_SELF, request)
  call send()
  call check(all(pairs%a == four) .and. all(pairs%b == 0), 'Irecv of components')
  words = '.....'
  call MPI_Irecv(words(:)(2:3), 8, MPI_CHARACTER, 0, 0, MPI_COMM_SELF, request)
  call MPI_Send('abcdefgh', 8, MPI_CHARACTER, 0, 0, MPI_COMM_SELF)
  call MPI_Wait(request, MPI_STATUS_IGNORE)
  call check(all(words == ['.ab..', '.cd..', '.ef..', '.gh..']), 'Irecv of substrings')
  numbers = (0, 7)
  call MPI_Irecv(numbers%re, 4, MPI_REAL, 0, 0, MPI_COMM_SELF, request)
  call MPI_Send(real(four), 4, MPI_REAL, 0, 0, MPI_COMM_SELF)
  call MPI_Wait(request, MPI_STATUS_IGNORE)
  call check(all(numbers == cmplx(four, 7)), 'Irecv of real parts')
  points => pairs%b
  call MPI_Irecv(points, 4, MPI_INTEGER, 0, 0, MPI_COMM_SELF, request)
  call send()
  call check(all(pairs%b == four), 'Irecv of a pointer to components')
  whole = 0
  points => whole
  call MPI_Irecv(points, 4, MPI_INTEGER, 0, 0, MPI_COMM_SELF, request)
  call send()
  call check(all(whole == four), 'Irecv of that pointer to an array')
  call MPI_Send_init(pairs%a, 4, MPI_INTEGER, 0, 0, MPI_COMM_SELF, request)
  pairs%a = [5, 6, 7, 8]
  call MPI_Start(request)
  call MPI_Recv(got, 4, MPI_INTEGER, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE)
  call MPI_Wait(request, MPI_STATUS_IGNORE)
  call check(all(got == [5, 6, 7, 8]), 'Send_init of components')
  call MPI_Request_free(request)
  call MPI_Get_address(pairs%a, first)
  call MPI_Get_address(pairs%b, second)
  call check(second - first == 4, 'Get_address of components')
  call MPI_F_sync_reg(pairs%a)
  call MPI_Sendrecv(four, 4, MPI_INTEGER, 0, 0, pairs%b, 4, MPI_INTEGER, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE)
  call check(all(pairs%b == four) .and. all(pairs%a == [5, 6, 7, 8]), 'Sendrecv of components')
  call polymorphic(words, 20, '.ab...cd...ef...gh..')
  nullify(nothing)
  call MPI_Sendrecv(nothing, 0, MPI_INTEGER, 0, 0, got, 0, MPI_INTEGER, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE)
  print '(a)', 'verified'
  call MPI_Finalize()
contains
  subroutine send()
    call MPI_Send(four, 4, MPI_INTEGER, 0, 0, MPI_COMM_SELF)
    call MPI_Wait(request, MPI_STATUS_IGNORE)
  end subroutine
  subroutine polymorphic(values, length, wanted)
    class(*), intent(in) :: values(:)
    integer, intent(in) :: length
    character(len=*), intent(in) :: wanted
    character(len=length) :: arrived
    integer :: code
    call MPI_Sendrecv(values, length, MPI_CHARACTER, 0, 0, arrived, length, MPI_CHARACTER, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE)
    call check(arrived == wanted, 'Sendrecv of CLASS(*)')
    call MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN)
    call MPI_Sendrecv(values(::2), 10, MPI_CHARACTER, 0, 0, arrived, 10, MPI_CHARACTER, 0, 0, MPI_COMM_SELF, &
                      MPI_STATUS_IGNORE, code)
    call check(code /= MPI_SUCCESS .or. arrived(:10) == '.ab...ef..', 'Sendrecv of a section of CLASS(*)')
  end subroutine
  subroutine check(holds, what)
    logical, intent(in) :: holds
    character(len=*), intent(in) :: what
    if (holds) return
    print '(a)', what
    call MPI_Abort(MPI_COMM_WORLD, 1)
  end subroutine
end program
TEXT
    mpifort_abi -O2 -o kept kept.f90
    for run in on_mpich on_openmpi; do
        $run ./kept > said
        [ "$(sort -u said)" = verified ]
    done
}

@test "the tests' programs pass by the standard's descriptors, too" {
    local name
    standard
    export MPI_TEST_SKIP='' MPI_TEST_DIR=$PWD
    for name in sections p2p; do
        mpifort_abi -fc="$PWD/standard" -cpp -O0 -w -ffree-line-length-none -fcray-pointer -DINTERFACE=2008 -DMPIABI \
            -I"$top/tests/fortran" -J . -o $name "$top/tests/fortran/$name.F90"
        on_mpich ./$name > said
        cat said
        grep -q '^ok' said
    done
}

# gfortran before 12 has this called for each array that it passes to a BIND(C) procedure.
@test "long CHARACTER variables of programs that gfortran before 12 compiled are described, which newer run-time libraries refuse" {
    cat > characters.c << 'TEXT'
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
struct { void *base; size_t offset, size; int32_t version; int8_t rank, type; int16_t attribute; ptrdiff_t span, dimensions[3]; } array;
struct { void *base; size_t size; int32_t version; int8_t rank, attribute; int16_t type; ptrdiff_t dimensions[3]; } *described;
void _gfortran_gfc_desc_to_cfi_desc(void *, const void *);
static void describe(int type, size_t size)
{
    array = (__typeof__(array)){ .base = &array, .offset = -1, .size = size, .rank = 1, .type = type, .attribute = 2, .span = size,
                                 .dimensions = { 2, 1, 5 } };
    described = 0;
    _gfortran_gfc_desc_to_cfi_desc(&described, &array);
    printf("%d %zu %d: %td of %td\n", described->base == (void *)&array, described->size, described->rank, described->dimensions[1],
           described->dimensions[2]);
    free(described);
}
void _gfortran_set_args(int, char **);
int main(int argc, char **argv)
{
    _gfortran_set_args(argc, argv); /* as each Fortran program does */
    describe(6, 1023);
    describe(6, 1);
    describe(1, 8);
    return 0;
}
TEXT
    gcc -c characters.c
    mpifort_abi -fc=gfortran -o characters characters.o
    readelf -W --dyn-syms characters > symbols
    grep -q '_gfortran_gfc_desc_to_cfi_desc@MPI_ADAPTER_FORTRAN_1' symbols
    run --separate-stderr env LD_LIBRARY_PATH="$pairs/mpiabi-to-mpich" ./characters
    echo "$output $stderr"
    [ "$output" = $'1 1023 1: 5 of 2046\n1 1 1: 5 of 2\n1 8 1: 5 of 16' ]
    # This is what it is for.
    gfortran -o without characters.o
    run ! ./without
    # A program without the run-time library, which no Fortran program is.
    sed 's/_gfortran_set_args(argc, argv);//' characters.c > alone.c
    gcc -c alone.c
    mpifort_abi -o alone alone.o
    LD_LIBRARY_PATH=$pairs/mpiabi-to-mpich run --separate-stderr ./alone
    [ "$status" -ne 0 ]
    [[ $stderr == "mpi-adapter: gfortran's run-time library has no _gfortran_gfc_desc_to_cfi_desc; install libgfortran5 of GCC 9 or newer" ]]
}

@test "mpifort_abi says what it does, in the words of MPICH's and of Open MPI's" {
    [[ $build != *' '* ]] || skip 'paths with spaces are quoted'
    local modules compile link
    modules=$(mpifort_abi -showme:incdirs | cut -d' ' -f2)
    compile="-I$include -I$modules -fallow-argument-mismatch"
    link="-L$modules -L$abi -Wl,-rpath-link,$abi/link -lmpi_adapter_modules -lmpi_adapter_fortran -lmpi_adapter_compat -lmpi_abi"
    [ -e "$modules/mpi_f08.mod" ]
    [ "$(mpifort_abi -show)" = "gfortran $compile $link" ]
    [ "$(mpifort_abi -show -c a.f90)" = "gfortran $compile -c a.f90" ]
    [ "$(mpifort_abi -showme:compile)" = "$compile" ]
    fake nine 'gcc version 9.4.0 (of this test)'
    run ! grep argument-mismatch <(mpifort_abi -fc="$PWD/nine" -show -c a.f90)
    [ "$(mpifort_abi -showme:link)" = "$link" ]
    [ "$(mpifort_abi -showme:libs)" = 'mpi_adapter_modules mpi_adapter_fortran mpi_adapter_compat mpi_abi' ]
    [ "$(mpifort_abi -showme:libdirs)" = "$modules $abi" ]
    [ "$(mpifort_abi -showme:command)" = gfortran ]
    [[ $(mpifort_abi -showme:version) == 'mpifort_abi (MPI-Adapter) '* ]]
    [[ $(mpifort_abi -showme:help) == *'-fc=COMPILER'*'-install-modules'* ]]
    run ! grep -q install-modules <(mpicc_abi -showme:help)
    run -1 mpicc_abi -install-modules
    [ "$output" = "mpi-adapter: there are no modules to install but Fortran's; use mpifort_abi" ]
}

@test "modules of another compiler are compiled at its first use, once, and at several first uses at a time" {
    local each jobs=()
    fake newer 'gcc version 97.1.0 (of this test)'
    ring 'use mpi_f08' '' 'type(MPI_Request)'
    for each in 1 2 3 4; do
        mpifort_abi -fc="$PWD/newer" -c ring.f90 -o ring$each.o 2> said$each & jobs+=($!)
    done
    for each in "${jobs[@]}"; do wait "$each"; done
    cat said? > said
    diff /dev/null said
    cached > folders
    [ "$(wc -l < folders)" -eq 1 ]
    [[ $(< folders) == "$XDG_CACHE_HOME/mpi-adapter/fortran/gfortran-97.1.0-here-linux-gnu-"* ]]
    touch -d '1 hour ago' "$(< folders)/mpi_f08.mod"
    mpifort_abi -fc="$PWD/newer" -o ring ring.f90
    [ "$(on_mpich ./ring)" = verified ]
    [ -z "$(find "$(< folders)/mpi_f08.mod" -mmin -30)" ]
    # Of two versions each has its own.
    fake newest 'gcc version 98.1.0 (of this test)'
    MPI_ADAPTER_FC=$PWD/newest mpifort_abi -c ring.f90
    [ "$(cached | wc -l)" -eq 2 ]
    MPI_ADAPTER_CACHE=$PWD/other mpifort_abi -fc="$PWD/newest" -c ring.f90
    [ -e other/fortran/gfortran-98.1.0-*/mpi.mod ]
}

@test "what keeps modules from being compiled is said, and nothing is left" {
    ring 'use mpi' '' integer
    fake newer 'gcc version 97.1.0 (of this test)'
    : > file
    MPI_ADAPTER_CACHE=$PWD/file run -1 mpifort_abi -fc="$PWD/newer" -c ring.f90
    [[ $output == *'mpi-adapter: the Fortran modules of gfortran-97.1.0-here-linux-gnu cannot be written: '*'; name a folder that is writable by MPI_ADAPTER_CACHE' ]]
    XDG_CACHE_HOME='' HOME='' run -1 mpifort_abi -fc="$PWD/newer" -c ring.f90
    [ "$output" = 'mpi-adapter: there is no folder for the Fortran modules, as HOME is not set; name one by MPI_ADAPTER_CACHE' ]
    fake broken 'gcc version 97.1.0 (of this test)'
    sed -i 's/^exec.*/echo "no memory" >\&2; exit 3/' broken
    run -1 mpifort_abi -fc="$PWD/broken" -c ring.f90
    [[ $output == *'no memory'*"mpi-adapter: $PWD/broken cannot compile the modules of MPI in $include/fortran; see its messages above" ]]
    [ -z "$(cached)" ]
}

@test "compilers that are not known, too old, missing or mpifort_abi itself are refused" {
    ring 'use mpi' '' integer
    fake other 'ifx version 2026.0'
    run -1 mpifort_abi -fc="$PWD/other" -c ring.f90
    [ "$output" = "mpi-adapter: $PWD/other is neither gfortran nor LLVM flang; name one of these by MPI_ADAPTER_FC" ]
    fake old 'gcc version 8.3.0 (of this test)'
    run -1 mpifort_abi -fc="$PWD/old" -c ring.f90
    [ "$output" = "mpi-adapter: $PWD/old is too old for the modules of MPI; use gfortran 9 or newer, or LLVM flang" ]
    fake older 'flang-new version 16.0.6'
    run -1 mpifort_abi -fc="$PWD/older" -c ring.f90
    [ "$output" = "mpi-adapter: $PWD/older is too old for the modules of MPI; use LLVM flang 19 or newer, or gfortran" ]
    run -1 mpifort_abi -fc=no-such-compiler -c ring.f90
    [ "$output" = 'mpi-adapter: there is no compiler no-such-compiler; install it, or name another one by MPI_ADAPTER_FC' ]
    run -1 mpifort_abi -fc=mpifort_abi -c ring.f90
    [[ $output == *'mpi-adapter: mpifort_abi would call itself as the compiler; name another one by MPI_ADAPTER_FC'* ||
        $output == 'mpi-adapter: mpifort_abi is neither gfortran nor LLVM flang; name one of these by MPI_ADAPTER_FC' ]]
}

@test "the library calls nothing but what every library of the ABI exports" {
    local table
    nm -D --undefined-only "$pairs/fortran/libmpi_adapter_fortran.so.1" | awk '$2 ~ /^P?MPI_/ { print $2 }' | LC_ALL=C sort > called
    [ "$(wc -l < called)" -gt 500 ]
    for table in "$top"/abi-tables/mpiabi-*/exports; do
        awk '$2 == "function" { print $4 }' "$table" | LC_ALL=C sort > exported
        LC_ALL=C comm -23 called exported > missing
        diff /dev/null missing
    done
    nm -D --undefined-only "$pairs/fortran/libmpi_adapter_fortran.so.1" | awk '$1 == "U" && $2 !~ /@GLIBC_|^P?MPI_/' > others
    diff /dev/null others
    readelf -d "$pairs/fortran/libmpi_adapter_fortran.so.1" | grep -q 'SONAME.*\[libmpi_adapter_fortran.so.1\]'
    nm -D --defined-only "$pairs/fortran/libmpi_adapter_fortran.so.1" | awk '$2 != "A" && $3 !~ /@@MPI_ADAPTER_FORTRAN_1$/' > unversioned
    diff /dev/null unversioned
}

@test "the library has every procedure that the modules declare" {
    nm -D --defined-only "$pairs/fortran/libmpi_adapter_fortran.so.1" | awk '{ sub(/@.*/, "", $3); print $3 }' | LC_ALL=C sort > has
    sed -nE 's/^ *((elemental )?[a-z0-9 (=]*[A-Z_)]* )?(subroutine|function) (p?mpi_[a-z0-9_]+)\(.*/\4_/Ip' \
        "$include"/fortran/mpi.F90 "$include"/fortran/mpi_f08.F90 "$include"/fortran/mpi_f08_types.F90 |
        tr '[:upper:]' '[:lower:]' | LC_ALL=C sort -u > declared
    [ "$(wc -l < declared)" -gt 2000 ]
    LC_ALL=C comm -13 has declared > missing
    diff /dev/null missing
}

@test "each interface has all constants of the standard, with its values; those that are addresses are targets" {
    local interface use include
    for interface in "mpif|include 'mpif.h'" 'mpi|use mpi' 'f08|use mpi_f08'; do
        use=${interface#*|} include=''
        [[ $use == use* ]] || { include=$use; use=''; }
        {
            printf '%s\n' 'program constants' "$use" 'use, intrinsic :: iso_c_binding' 'implicit none' "$include" \
                'type(c_ptr) :: address' 'type(c_funptr) :: code'
            awk -F'\t' -v interface="${interface%|*}" '
                /^#/ || $4 == "f08" && interface != "f08" || $4 == "mpi" && interface == "f08" { next }
                $2 == "variable" { print "address = c_loc(" $1 "); if (.not. c_associated(address)) print *, \"" $1 "\"" }
                $2 == "procedure" { print "code = c_funloc(" $1 "); if (.not. c_associated(code)) print *, \"" $1 "\"" }
                $2 == "logical" { print "if (" $1 " .neqv. " (interface == "f08" ? ".true." : ".false.") ") print *, \"" $1 "\"" }
                $3 != "-" { print "if (" $1 ($2 == "handle" && interface == "f08" ? "%MPI_VAL" : "") " /= " $3 ") print *, \"" $1 "\"" }
            ' "$top/tests/installation/fortran-constants.tsv"
            echo 'end program'
        } > constants.f90
        [ "$(grep -c ' print ' constants.f90)" -gt 320 ]
        mpifort_abi -ffree-line-length-none -o constants.program constants.f90
        LD_LIBRARY_PATH=$pairs/mpiabi-to-mpich ./constants.program > differ
        diff /dev/null differ
    done
}

@test "mpif.h in free form and in fixed form, and ISO_C_BINDING's pointers, in one program" {
    cat > free.f90 << 'TEXT'
program free
  use, intrinsic :: iso_c_binding
  implicit none
  include 'mpif.h'
  integer :: error, window
  integer(kind=MPI_ADDRESS_KIND) :: bytes = 32
  type(c_ptr) :: memory
  real(c_double), pointer :: values(:)
  call MPI_Init(error)
  call given(memory, values)
  values = 2.5d0
  call fixed(values, error)
  if (error == MPI_SUCCESS .and. all(values == 2.5d0)) print '(a)', 'verified'
  call MPI_Free_mem(values, error)
  call MPI_Finalize(error)
contains
  subroutine given(memory, values)
    use mpi_f08, only: f08 => MPI_Alloc_mem, MPI_INFO_NULL_f08 => MPI_INFO_NULL
    type(c_ptr), intent(out) :: memory
    real(c_double), pointer, intent(out) :: values(:)
    call f08(bytes, MPI_INFO_NULL_f08, memory)
    call c_f_pointer(memory, values, [4])
  end subroutine
end program
TEXT
    cat > part.f << 'TEXT'
C     A comment in fixed form
      SUBROUTINE FIXED(VALUES, IERR)
      INCLUDE 'mpif.h'
      DOUBLE PRECISION VALUES(4)
      INTEGER IERR
      CALL MPI_ALLREDUCE(MPI_IN_PLACE, VALUES, 4, MPI_DOUBLE_PRECISION,
     &     MPI_SUM, MPI_COMM_SELF, IERR)
      END
TEXT
    mpifort_abi -Wall -Wno-unused-variable -std=f2018 -c free.f90
    mpifort_abi -std=legacy -c part.f
    mpifort_abi -o free free.o part.o
    [ "$(on_mpich ./free)" = $'verified\nverified' ]
    [ "$(on_openmpi ./free)" = $'verified\nverified' ]
}

@test "mpif.h in fixed form: buffers of several types, a longer DOUBLE PRECISION; an INTEGER of 8 bytes stops the compiler" {
    cat > fixed.f << 'TEXT'
      program fixed
      implicit none
      include 'mpif.h'
      integer error
      call MPI_INIT(error)
      call MPI_SEND(1.5d0, 1, MPI_REAL8, MPI_PROC_NULL, 0, MPI_COMM_SELF, error)
      call MPI_SEND('text', 4, MPI_CHARACTER, MPI_PROC_NULL, 0,
     &              MPI_COMM_SELF, error)
      if (MPI_WTIME() .gt. 1d0 .and. MPI_WTIME() .lt. 1d300) print '(a)', 'verified'
      call MPI_FINALIZE(error)
      end
TEXT
    for option in -O0 -fdefault-real-8; do
        mpifort_abi $option -ffixed-line-length-none -o fixed fixed.f
        [ "$(LD_LIBRARY_PATH=$pairs/mpiabi-to-mpich ./fixed)" = verified ]
    done
    run -1 mpifort_abi -fdefault-integer-8 -ffixed-line-length-none -o long fixed.f
    [[ ${output^^} == *'KIND -3 NOT SUPPORTED'*MPI_ADAPTER_INTEGER_HAS_4_BYTES* ]]
}

@test "CMake finds Fortran's MPI by mpi-abi.cmake, and pkg-config mpif.h" {
    type -P cmake > /dev/null || skip 'no CMake'
    mkdir project
    ring 'use mpi_f08' '' 'type(MPI_Request)'
    mv ring.f90 project/
    cat > project/CMakeLists.txt << 'TEXT'
cmake_minimum_required(VERSION 3.13)
project(ring LANGUAGES C Fortran)
find_package(MPI REQUIRED COMPONENTS Fortran)
add_executable(ring ring.f90)
target_link_libraries(ring MPI::MPI_Fortran)
TEXT
    cmake -C "$abi/mpi-abi.cmake" -S project -B made
    cmake --build made
    [ "$(on_mpich made/ring)" = verified ]
    ring '' "include 'mpif.h'" integer
    # shellcheck disable=SC2046
    gfortran -fallow-argument-mismatch -o ring ring.f90 $(PKG_CONFIG_PATH=$build/lib/pkgconfig pkg-config --cflags --libs mpi-adapter-abi-fortran)
    [ "$(on_openmpi ./ring)" = verified ]
}
