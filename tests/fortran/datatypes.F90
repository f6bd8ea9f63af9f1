! SPDX-License-Identifier: BSD-3-Clause
!
! Datatypes: every constructor, what MPI_Type_get_envelope and MPI_Type_get_contents say of them,
! extents, packing, the types of Fortran's kinds, and what MPI-3.0 removed.
! ranks: 1
#include "check.h"
program datatypes
  use checks
  USE_MPI
  implicit none
  MPIF_H
  integer :: ierr

  call check_begin()
  call sizes()
  call constructors()
  call contents_of_derived_contents()
  call extents()
#ifndef MPICH
  call logicals()
#endif
  call names()
  call fortran_kinds()
  call size_of()
  call packing()
  call external_packing()
  call addresses()
  call distributed_arrays()
! The standard ABI lacks procedures that MPI-3.0 removed.
#if INTERFACE != 2008 && !defined(MPIABI)
  call removed()
#endif
  call check_end('datatypes')

contains

  subroutine size_is(type, want)
    HANDLE(MPI_Datatype), intent(in) :: type
    integer, intent(in) :: want
    integer :: size
    integer(kind=MPI_COUNT_KIND) :: large
    call MPI_Type_size(type, size, ierr); OK
    IS(size, want)
    call MPI_Type_size_x(type, large, ierr); OK
    IS(large, want)
  end subroutine

  subroutine sizes()
    call size_is(MPI_INTEGER, 4)
    call size_is(MPI_REAL, 4)
    call size_is(MPI_DOUBLE_PRECISION, 8)
    call size_is(MPI_COMPLEX, 8)
    call size_is(MPI_DOUBLE_COMPLEX, 16)
    call size_is(MPI_LOGICAL, 4)
    call size_is(MPI_CHARACTER, 1)
    call size_is(MPI_BYTE, 1)
    call size_is(MPI_PACKED, 1)
    call size_is(MPI_INTEGER1, 1)
    call size_is(MPI_INTEGER2, 2)
    call size_is(MPI_INTEGER4, 4)
    call size_is(MPI_INTEGER8, 8)
    call size_is(MPI_REAL4, 4)
    call size_is(MPI_REAL8, 8)
    call size_is(MPI_COMPLEX8, 8)
    call size_is(MPI_COMPLEX16, 16)
    call size_is(MPI_2INTEGER, 8)
    call size_is(MPI_2REAL, 8)
    call size_is(MPI_2DOUBLE_PRECISION, 16)
    call size_is(MPI_AINT, 8)
    call size_is(MPI_OFFSET, 8)
    call size_is(MPI_COUNT, 8)
    ! Types of C are named constants of Fortran too.
    call size_is(MPI_INT, 4)
    call size_is(MPI_DOUBLE, 8)
    call size_is(MPI_CHAR, 1)
    call size_is(MPI_SHORT, 2)
    call size_is(MPI_LONG, 8)
    call size_is(MPI_UNSIGNED, 4)
    call size_is(MPI_INT8_T, 1)
    call size_is(MPI_UINT64_T, 8)
    call size_is(MPI_C_DOUBLE_COMPLEX, 16)
    call size_is(MPI_DOUBLE_INT, 12)
    call size_is(MPI_2INT, 8)
    call size_is(MPI_WCHAR, 4)
  end subroutine

  ! Sends count elements of a type to this process itself, as integers.
  subroutine through(type, count, from, to, want)
    HANDLE(MPI_Datatype), intent(in) :: type
    integer, intent(in) :: count, from(:), want(:)
    integer, intent(out) :: to(:)
    STATUS(got)
    integer :: elements
    to = -1
    call MPI_Sendrecv(from, count, type, 0, 1, to, size(to), MPI_INTEGER, 0, 1, MPI_COMM_SELF, got, ierr); OK
    call MPI_Get_count(got, MPI_INTEGER, elements, ierr); OK
    IS(elements, size(want))
    TRUE(all(to(1:size(want)) == want))
  end subroutine

  ! A constructor's arguments come back from the type.
  subroutine made_of(type, combiner, integers, addresses, types)
    HANDLE(MPI_Datatype) :: type
    integer, intent(in) :: combiner, integers(:), types
    integer(kind=MPI_ADDRESS_KIND), intent(in) :: addresses(:)
    integer :: ni, na, nd, got_combiner, got_integers(20), i
    integer(kind=MPI_ADDRESS_KIND) :: got_addresses(10)
    HANDLE(MPI_Datatype) :: got_types(5)
    call MPI_Type_get_envelope(type, ni, na, nd, got_combiner, ierr); OK
    IS(got_combiner, combiner)
    IS(ni, size(integers))
    IS(na, size(addresses))
    IS(nd, types)
    call MPI_Type_get_contents(type, ni, na, nd, got_integers, got_addresses, got_types, ierr); OK
    TRUE(all(got_integers(1:ni) == integers))
    TRUE(all(got_addresses(1:na) == addresses))
    do i = 1, nd
      TRUE(got_types(i) == MPI_INTEGER)
    end do
    call MPI_Type_free(type, ierr); OK
    TRUE(type == MPI_DATATYPE_NULL)
  end subroutine

  subroutine constructors()
    HANDLE(MPI_Datatype) :: type
    HANDLE(MPI_Datatype) :: members(2)
    integer :: from(24), to(24), i
    integer(kind=MPI_ADDRESS_KIND) :: none(0), four = 4, twelve = 12, displacements(2)
    from = [(i, i = 1, 24)]
    displacements = [4, 16]
    members = MPI_INTEGER

    call MPI_Type_dup(MPI_INTEGER, type, ierr); OK
    call through(type, 2, from, to, [1, 2])
    call made_of(type, MPI_COMBINER_DUP, [integer ::], none, 1)

    call MPI_Type_contiguous(3, MPI_INTEGER, type, ierr); OK
    call MPI_Type_commit(type, ierr); OK
    call through(type, 2, from, to, [1, 2, 3, 4, 5, 6])
    call made_of(type, MPI_COMBINER_CONTIGUOUS, [3], none, 1)

    call MPI_Type_vector(2, 2, 3, MPI_INTEGER, type, ierr); OK
    call MPI_Type_commit(type, ierr); OK
    call through(type, 1, from, to, [1, 2, 4, 5])
    call made_of(type, MPI_COMBINER_VECTOR, [2, 2, 3], none, 1)

    call MPI_Type_create_hvector(2, 1, twelve, MPI_INTEGER, type, ierr); OK
    call MPI_Type_commit(type, ierr); OK
    call through(type, 1, from, to, [1, 4])
    call made_of(type, MPI_COMBINER_HVECTOR, [2, 1], [twelve], 1)

    call MPI_Type_indexed(2, [2, 1], [4, 1], MPI_INTEGER, type, ierr); OK
    call MPI_Type_commit(type, ierr); OK
    call through(type, 1, from, to, [5, 6, 2])
    call made_of(type, MPI_COMBINER_INDEXED, [2, 2, 1, 4, 1], none, 1)

    call MPI_Type_create_hindexed(2, [1, 2], displacements, MPI_INTEGER, type, ierr); OK
    call MPI_Type_commit(type, ierr); OK
    call through(type, 1, from, to, [2, 5, 6])
    call made_of(type, MPI_COMBINER_HINDEXED, [2, 1, 2], displacements, 1)

    call MPI_Type_create_indexed_block(2, 2, [3, 7], MPI_INTEGER, type, ierr); OK
    call MPI_Type_commit(type, ierr); OK
    call through(type, 1, from, to, [4, 5, 8, 9])
    call made_of(type, MPI_COMBINER_INDEXED_BLOCK, [2, 2, 3, 7], none, 1)

    call MPI_Type_create_hindexed_block(2, 1, displacements, MPI_INTEGER, type, ierr); OK
    call MPI_Type_commit(type, ierr); OK
    call through(type, 1, from, to, [2, 5])
    call made_of(type, MPI_COMBINER_HINDEXED_BLOCK, [2, 1], displacements, 1)

    call MPI_Type_create_struct(2, [1, 2], displacements, members, type, ierr); OK
    call MPI_Type_commit(type, ierr); OK
    call through(type, 1, from, to, [2, 5, 6])
    call made_of(type, MPI_COMBINER_STRUCT, [2, 1, 2], displacements, 2)

    call MPI_Type_create_subarray(2, [4, 6], [2, 3], [1, 2], MPI_ORDER_FORTRAN, MPI_INTEGER, type, ierr); OK
    call MPI_Type_commit(type, ierr); OK
    call through(type, 1, from, to, [10, 11, 14, 15, 18, 19])
    call made_of(type, MPI_COMBINER_SUBARRAY, [2, 4, 6, 2, 3, 1, 2, MPI_ORDER_FORTRAN], none, 1)

    call MPI_Type_create_subarray(2, [4, 6], [2, 3], [1, 2], MPI_ORDER_C, MPI_INTEGER, type, ierr); OK
    call MPI_Type_commit(type, ierr); OK
    call through(type, 1, from, to, [9, 10, 11, 15, 16, 17])
    call made_of(type, MPI_COMBINER_SUBARRAY, [2, 4, 6, 2, 3, 1, 2, MPI_ORDER_C], none, 1)

    call MPI_Type_create_resized(MPI_INTEGER, -four, twelve, type, ierr); OK
    call MPI_Type_commit(type, ierr); OK
    call through(type, 3, from, to, [1, 4, 7])
    call made_of(type, MPI_COMBINER_RESIZED, [integer ::], [-four, twelve], 1)
  end subroutine

  ! The types in the contents of a derived type are derived types themselves.
  subroutine contents_of_derived_contents()
    HANDLE(MPI_Datatype) :: inner
    HANDLE(MPI_Datatype) :: outer
    HANDLE(MPI_Datatype) :: got(1)
    integer :: integers(2), ni, na, nd, combiner
    integer(kind=MPI_ADDRESS_KIND) :: addresses(1)
    call MPI_Type_contiguous(2, MPI_REAL, inner, ierr); OK
    call MPI_Type_contiguous(5, inner, outer, ierr); OK
    call MPI_Type_get_contents(outer, 1, 0, 1, integers, addresses, got, ierr); OK
    IS(integers(1), 5)
    call MPI_Type_get_envelope(got(1), ni, na, nd, combiner, ierr); OK
    IS(combiner, MPI_COMBINER_CONTIGUOUS)
    call MPI_Type_free(got(1), ierr); OK
    call MPI_Type_free(outer, ierr); OK
    call MPI_Type_free(inner, ierr); OK
    call MPI_Type_get_envelope(MPI_REAL, ni, na, nd, combiner, ierr); OK
    IS(combiner, MPI_COMBINER_NAMED)
    IS(ni + na + nd, 0)
  end subroutine

#ifndef MPICH
  ! LOGICALs of a size, which a host may have under another name.
  subroutine logicals()
    logical(kind=1) :: l1(2)
    logical(kind=2) :: l2(2)
    logical(kind=4) :: l4(2)
    logical(kind=8) :: l8(2)
    call logical_is(MPI_LOGICAL1, 1, 'MPI_LOGICAL1')
    call logical_is(MPI_LOGICAL2, 2, 'MPI_LOGICAL2')
    call logical_is(MPI_LOGICAL4, 4, 'MPI_LOGICAL4')
    call logical_is(MPI_LOGICAL8, 8, 'MPI_LOGICAL8')
    l1 = [.true._1, .false._1]; l2 = [.true._2, .false._2]; l4 = [.true._4, .false._4]; l8 = [.true._8, .false._8]
    call MPI_Allreduce(MPI_IN_PLACE, l1, 2, MPI_LOGICAL1, MPI_LAND, MPI_COMM_WORLD, ierr); OK
    call MPI_Allreduce(MPI_IN_PLACE, l2, 2, MPI_LOGICAL2, MPI_LOR, MPI_COMM_WORLD, ierr); OK
    call MPI_Allreduce(MPI_IN_PLACE, l4, 2, MPI_LOGICAL4, MPI_LAND, MPI_COMM_WORLD, ierr); OK
    call MPI_Allreduce(MPI_IN_PLACE, l8, 2, MPI_LOGICAL8, MPI_LOR, MPI_COMM_WORLD, ierr); OK
    TRUE(logical(l1(1) .and. .not. l1(2) .and. l2(1) .and. .not. l2(2), 4))
    TRUE(logical(l4(1) .and. .not. l4(2) .and. l8(1) .and. .not. l8(2), 4))
  end subroutine

  subroutine logical_is(type, size, name)
    HANDLE(MPI_Datatype), intent(in) :: type
    integer, intent(in) :: size
    character(len=*), intent(in) :: name
    character(len=MPI_MAX_OBJECT_NAME) :: got
    integer :: length, integers, addresses, types, combiner
    call size_is(type, size)
    call MPI_Type_get_name(type, got, length, ierr); OK
    IS(got(1:length), name)
    call MPI_Type_get_envelope(type, integers, addresses, types, combiner, ierr); OK
    IS(combiner, MPI_COMBINER_NAMED)
  end subroutine
#endif

  subroutine extents()
    HANDLE(MPI_Datatype) :: type
    integer(kind=MPI_ADDRESS_KIND) :: lb, extent
    integer(kind=MPI_COUNT_KIND) :: large_lb, large_extent
    lb = -16; extent = 40
    call MPI_Type_create_resized(MPI_DOUBLE_PRECISION, lb, extent, type, ierr); OK
    lb = 0; extent = 0
    call MPI_Type_get_extent(type, lb, extent, ierr); OK
    IS(lb, -16)
    IS(extent, 40)
    call MPI_Type_get_true_extent(type, lb, extent, ierr); OK
    IS(lb, 0)
    IS(extent, 8)
    call MPI_Type_get_extent_x(type, large_lb, large_extent, ierr); OK
    IS(large_lb, -16)
    IS(large_extent, 40)
    call MPI_Type_get_true_extent_x(type, large_lb, large_extent, ierr); OK
    IS(large_extent, 8)
    call MPI_Type_free(type, ierr); OK
  end subroutine

  subroutine names()
    character(len=MPI_MAX_OBJECT_NAME) :: name
    character(len=4) :: short
    integer :: length
    HANDLE(MPI_Datatype) :: type
    call MPI_Type_get_name(MPI_INTEGER, name, length, ierr); OK
    IS(name, 'MPI_INTEGER')
    IS(length, 11)
    call MPI_Type_get_name(MPI_DOUBLE_PRECISION, name, length, ierr); OK
    IS(name(1:length), 'MPI_DOUBLE_PRECISION')
    call MPI_Type_contiguous(2, MPI_INTEGER, type, ierr); OK
    call MPI_Type_set_name(type, '  a pair    ', ierr); OK
    name = repeat('x', len(name))
    call MPI_Type_get_name(type, name, length, ierr); OK
    ! Both implementations remove leading blanks, which the standard calls significant.
    call note('name', name(1:length))
    call MPI_Type_free(type, ierr); OK
  end subroutine

  subroutine fortran_kinds()
    HANDLE(MPI_Datatype) :: type
    integer :: i, ni, na, nd, combiner, integers(2)
    integer(kind=MPI_ADDRESS_KIND) :: addresses(1)
    HANDLE(MPI_Datatype) :: types(1)
    integer(kind=selected_int_kind(12)) :: wide, copy
    call MPI_Type_create_f90_integer(12, type, ierr); OK
    call size_is(type, 8)
    call MPI_Type_get_envelope(type, ni, na, nd, combiner, ierr); OK
    IS(combiner, MPI_COMBINER_F90_INTEGER)
    IS(ni, 1)
    call MPI_Type_get_contents(type, ni, na, nd, integers, addresses, types, ierr); OK
    IS(integers(1), 12)
    wide = 123456789012_8
    call MPI_Sendrecv(wide, 1, type, 0, 1, copy, 1, type, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE, ierr); OK
    TRUE(copy == wide)
    call MPI_Type_create_f90_real(15, 300, type, ierr); OK
    call size_is(type, 8)
    call MPI_Type_get_envelope(type, ni, na, nd, combiner, ierr); OK
    IS(combiner, MPI_COMBINER_F90_REAL)
    call MPI_Type_get_contents(type, ni, na, nd, integers, addresses, types, ierr); OK
    TRUE(all(integers == [15, 300]))
    call MPI_Type_create_f90_complex(6, MPI_UNDEFINED, type, ierr); OK
    call size_is(type, 8)
    call MPI_Type_get_envelope(type, ni, na, nd, combiner, ierr); OK
    IS(combiner, MPI_COMBINER_F90_COMPLEX)
    call MPI_Type_match_size(MPI_TYPECLASS_REAL, 8, type, ierr); OK
    call size_is(type, 8)
    call MPI_Type_match_size(MPI_TYPECLASS_INTEGER, 2, type, ierr); OK
    call size_is(type, 2)
    call MPI_Type_match_size(MPI_TYPECLASS_COMPLEX, 16, type, ierr); OK
    call size_is(type, 16)
    do i = 1, 3
      call MPI_Type_create_f90_integer(4 * i, type, ierr); OK
      call size_is(type, 2 ** i)
    end do
  end subroutine

  subroutine size_of()
#if INTERFACE != 77
    integer :: i, size, a(3)
    integer(kind=8) :: i8
    real :: r
    real(kind=8) :: d, m(2, 2)
    complex :: c
    complex(kind=8) :: z
    logical :: l
    character :: s
    call MPI_Sizeof(i, size, ierr); OK; IS(size, 4)
    call MPI_Sizeof(a, size, ierr); OK; IS(size, 4)
    call MPI_Sizeof(i8, size, ierr); OK; IS(size, 8)
    call MPI_Sizeof(r, size, ierr); OK; IS(size, 4)
    call MPI_Sizeof(d, size, ierr); OK; IS(size, 8)
    call MPI_Sizeof(c, size, ierr); OK; IS(size, 8)
#if INTERFACE == 2008 || !defined(MPICH)
    call MPI_Sizeof(z, size, ierr); OK; IS(size, 16)
#endif
    call MPI_Sizeof(l, size, ierr); OK; IS(size, 4)
    call MPI_Sizeof(s, size, ierr); OK; IS(size, 1)
#endif
  end subroutine

  subroutine packing()
    character :: buffer(200)
    integer :: position, size, i, value(2)
    real(kind=8) :: d
    logical :: l
    value = [5, 6]
    position = 0
    call MPI_Pack_size(2, MPI_INTEGER, MPI_COMM_WORLD, size, ierr); OK
    TRUE(size >= 8)
    call MPI_Pack(value, 2, MPI_INTEGER, buffer, 200, position, MPI_COMM_WORLD, ierr); OK
    call MPI_Pack(2.5d0, 1, MPI_DOUBLE_PRECISION, buffer, 200, position, MPI_COMM_WORLD, ierr); OK
    call MPI_Pack(.true., 1, MPI_LOGICAL, buffer, 200, position, MPI_COMM_WORLD, ierr); OK
    TRUE(position >= 20)
    size = position
    position = 0
    do i = 1, 2
      call MPI_Unpack(buffer, size, position, value(i), 1, MPI_INTEGER, MPI_COMM_WORLD, ierr); OK
      IS(value(i), 4 + i)
    end do
    call MPI_Unpack(buffer, size, position, d, 1, MPI_DOUBLE_PRECISION, MPI_COMM_WORLD, ierr); OK
    call MPI_Unpack(buffer, size, position, l, 1, MPI_LOGICAL, MPI_COMM_WORLD, ierr); OK
    TRUE(d == 2.5)
    IS(l, .true.)
    IS(position, size)
  end subroutine

  subroutine external_packing()
    character :: buffer(64)
    integer :: value(3), copy(3)
    integer(kind=MPI_ADDRESS_KIND) :: position, size
    value = [1, 256, 65536]
    call MPI_Pack_external_size('external32', 3, MPI_INTEGER, size, ierr); OK
    IS(size, 12)
    position = 0
    size = 64
    call MPI_Pack_external('external32', value, 3, MPI_INTEGER, buffer, size, position, ierr); OK
    IS(position, 12)
    ! The format is big-endian.
    IS(ichar(buffer(4)), 1)
    IS(ichar(buffer(7)), 1)
    IS(ichar(buffer(10)), 1)
    size = position
    position = 0
    call MPI_Unpack_external('external32', buffer, size, position, copy, 3, MPI_INTEGER, ierr); OK
    TRUE(all(copy == value))
  end subroutine

  ! A structure of absolute addresses, used with MPI_BOTTOM.
  subroutine addresses()
    integer ASYNCHRONOUS_ATTRIBUTE :: a, to(3)
    real(kind=8) ASYNCHRONOUS_ATTRIBUTE :: b
    integer(kind=MPI_ADDRESS_KIND) :: places(2)
    HANDLE(MPI_Datatype) :: type
    HANDLE(MPI_Datatype) :: types(2)
#if INTERFACE == 77 && defined(MPICH)
    integer(kind=MPI_ADDRESS_KIND), external :: MPI_Aint_add, MPI_Aint_diff
#endif
    types(1) = MPI_INTEGER
    types(2) = MPI_DOUBLE_PRECISION
    call MPI_Get_address(a, places(1), ierr); OK
    call MPI_Get_address(b, places(2), ierr); OK
    TRUE(places(1) /= places(2))
    call MPI_Type_create_struct(2, [1, 1], places, types, type, ierr); OK
    call MPI_Type_commit(type, ierr); OK
    a = 77
    b = 0.5d0
    call MPI_Sendrecv(MPI_BOTTOM, 1, type, 0, 1, to, 12, MPI_BYTE, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE, ierr); OK
    IS(to(1), 77)
    TRUE(transfer(to(2:3), b) == 0.5d0)
    to(1) = 78
    call MPI_Sendrecv(to, 12, MPI_BYTE, 0, 1, MPI_BOTTOM, 1, type, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE, ierr); OK
    call touch(a)
    IS(a, 78)
    call MPI_Type_free(type, ierr); OK
    call MPI_Get_address(to(1), places(1), ierr); OK
    call MPI_Get_address(to(3), places(2), ierr); OK
    IS(places(2) - places(1), 8)
    IS(MPI_Aint_diff(places(2), places(1)), 8)
    places(2) = 8
    places(2) = MPI_Aint_add(places(1), places(2))
    IS(places(2) - places(1), 8)
  end subroutine

  ! The compiler sees that the variable may have changed.
  subroutine touch(value)
    integer :: value
#if INTERFACE == 2008 && !defined NO_SYNC_REG
    call MPI_F_sync_reg(value)
#endif
  end subroutine

  subroutine distributed_arrays()
    integer :: from(8), to(8), i
    HANDLE(MPI_Datatype) :: type
    integer(kind=MPI_ADDRESS_KIND) :: none(0)
    from = [(i, i = 1, 8)]
    call MPI_Type_create_darray(2, 1, 1, [8], [MPI_DISTRIBUTE_BLOCK], [MPI_DISTRIBUTE_DFLT_DARG], [2], &
      MPI_ORDER_FORTRAN, MPI_INTEGER, type, ierr); OK
    call MPI_Type_commit(type, ierr); OK
    call through(type, 1, from, to, [5, 6, 7, 8])
    call made_of(type, MPI_COMBINER_DARRAY, [2, 1, 1, 8, MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_DFLT_DARG, 2, &
      MPI_ORDER_FORTRAN], none, 1)
    call MPI_Type_create_darray(2, 0, 1, [8], [MPI_DISTRIBUTE_CYCLIC], [1], [2], &
      MPI_ORDER_C, MPI_INTEGER, type, ierr); OK
    call MPI_Type_commit(type, ierr); OK
    call through(type, 1, from, to, [1, 3, 5, 7])
    call made_of(type, MPI_COMBINER_DARRAY, [2, 0, 1, 8, MPI_DISTRIBUTE_CYCLIC, 1, 2, MPI_ORDER_C], none, 1)
  end subroutine

#if INTERFACE != 2008 && !defined(MPIABI)
  ! With sizes and displacements that are INTEGERs.
  subroutine removed()
    integer :: type, from(6), to(6), extent, lb, ub, first, second, i, ni, na, nd, combiner
    integer(kind=MPI_ADDRESS_KIND) :: wide
    external :: MPI_Address, MPI_Type_hvector, MPI_Type_hindexed, MPI_Type_struct, MPI_Type_extent, &
      MPI_Type_lb, MPI_Type_ub
    from = [(i, i = 1, 6)]
    call MPI_Type_hvector(2, 1, 8, MPI_INTEGER, type, ierr); OK
    call MPI_Type_commit(type, ierr); OK
    call through(type, 1, from, to, [1, 3])
    call MPI_Type_extent(type, extent, ierr); OK
    IS(extent, 12)
    call MPI_Type_get_envelope(type, ni, na, nd, combiner, ierr); OK
    TRUE(combiner == MPI_COMBINER_HVECTOR .or. combiner == MPI_COMBINER_HVECTOR_INTEGER)
    call MPI_Type_free(type, ierr); OK
    call MPI_Type_hindexed(2, [1, 1], [12, -0], MPI_INTEGER, type, ierr); OK
    call MPI_Type_commit(type, ierr); OK
    call through(type, 1, from, to, [4, 1])
    call MPI_Type_free(type, ierr); OK
    call MPI_Type_struct(2, [1, 2], [4, 12], [MPI_INTEGER, MPI_INTEGER], type, ierr); OK
    call MPI_Type_commit(type, ierr); OK
    call through(type, 1, from, to, [2, 4, 5])
    call MPI_Type_lb(type, lb, ierr); OK
    IS(lb, 4)
    call MPI_Type_ub(type, ub, ierr); OK
    IS(ub, 20)
    call MPI_Type_free(type, ierr); OK
    ! An address does not fit: its low half may come back, or an error.
    call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN, ierr); OK
    call MPI_Address(from(1), first, ierr)
    if (ierr == MPI_SUCCESS) then
      call MPI_Address(from(3), second, ierr); OK
      IS(second - first, 8)
    end if
  end subroutine
#endif
end program
