! SPDX-License-Identifier: BSD-3-Clause
!
! A Fortran program with a part in C: communicators, datatypes, operations, requests, statuses,
! attributes and error handlers are made in one language and used in the other.
! ranks: 2
! with: mixed_c.c
#include "check.h"

module c_part
  use, intrinsic :: iso_c_binding
  implicit none
  interface
    integer(c_int) function c_predefined(world, self, null, int, dbl, sum, empty, no_request, returning, no_info, &
        no_message) bind(C)
      import
      integer(c_int), value :: world, self, null, int, dbl, sum, empty, no_request, returning, no_info, no_message
    end function
    integer(c_int) function c_comm_size(comm) bind(C)
      import
      integer(c_int), value :: comm
    end function
    integer(c_int) function c_make_comm() bind(C)
      import
    end function
    integer(c_int) function c_make_type() bind(C)
      import
    end function
    integer(c_int) function c_type_size(type) bind(C)
      import
      integer(c_int), value :: type
    end function
    integer(c_int) function c_make_op() bind(C)
      import
    end function
    integer(c_int) function c_reduce(value, op, comm) bind(C)
      import
      integer(c_int), value :: value, op, comm
    end function
    integer(c_int) function c_start_receive(value, source, tag) bind(C)
      import
      integer(c_int) ASYNCHRONOUS_ATTRIBUTE :: value
      integer(c_int), value :: source, tag
    end function
    integer(c_int) function c_wait(request, status) bind(C)
      import
      integer(c_int) :: request, status(*)
    end function
    integer(c_int) function c_read_status(status, source, tag, count) bind(C)
      import
      integer(c_int) :: status(*)
      integer(c_int), value :: source, tag, count
    end function
    integer(c_long) function c_attribute(comm, keyval, wide) bind(C)
      import
      integer(c_int), value :: comm, keyval, wide
    end function
    integer(c_int) function c_put_attribute(comm) bind(C)
      import
      integer(c_int), value :: comm
    end function
    integer(c_int) function c_deleted() bind(C)
      import
    end function
    integer(c_int) function c_make_errhandler() bind(C)
      import
    end function
    integer(c_int) function c_errors() bind(C)
      import
    end function
    integer(c_int) function c_provoke(comm) bind(C)
      import
      integer(c_int), value :: comm
    end function
    integer(c_int) function c_others(group, info, win, file, handler) bind(C)
      import
      integer(c_int), value :: group, info, win, file, handler
    end function
  end interface
#if INTERFACE == 2008
#if defined(MPICH) || defined(MPIABI)
  interface
    integer(c_int) function c_read_f08_status(status, source, tag, count) bind(C)
      use mpi_f08
      import
      type(MPI_Status) :: status
      integer(c_int), value :: source, tag, count
    end function
  end interface
#endif
#else
  interface
    integer(c_int) function c_is_status_ignore(status) bind(C)
      import
      integer(c_int) :: status(*)
    end function
    integer(c_int) function c_is_statuses_ignore(statuses) bind(C)
      import
      integer(c_int) :: statuses(*)
    end function
  end interface
#endif
end module

module fortran_callbacks
  use, intrinsic :: iso_c_binding
  USE_MPI
  implicit none
  MPIF_H
  integer :: errors = 0
contains
#if INTERFACE == 2008
  subroutine larger(invec, inoutvec, length, datatype)
    type(c_ptr), value :: invec, inoutvec
    integer :: length
    type(MPI_Datatype) :: datatype
    integer, pointer :: a(:), b(:)
    call c_f_pointer(invec, a, [length])
    call c_f_pointer(inoutvec, b, [length])
    b = max(a, b)
    if (datatype /= MPI_INTEGER) b = -1
  end subroutine
#else
  subroutine larger(a, b, length, datatype)
    integer :: length, datatype, a(length), b(length)
    b = max(a, b)
    if (datatype /= MPI_INTEGER) b = -1
  end subroutine
#endif
  subroutine count_error(comm, error_code)
    HANDLE(MPI_Comm) :: comm
    integer :: error_code
    errors = errors + 1
  end subroutine
end module

program mixed
  use checks
  use c_part
  use fortran_callbacks
  implicit none
  integer :: ierr, other

  call check_begin()
  other = 1 - me
  IS(c_predefined(VALUE_OF(MPI_COMM_WORLD), VALUE_OF(MPI_COMM_SELF), VALUE_OF(MPI_COMM_NULL), \
      VALUE_OF(MPI_INTEGER), VALUE_OF(MPI_DOUBLE_PRECISION), VALUE_OF(MPI_SUM), VALUE_OF(MPI_GROUP_EMPTY), \
      VALUE_OF(MPI_REQUEST_NULL), VALUE_OF(MPI_ERRORS_RETURN), VALUE_OF(MPI_INFO_NULL), VALUE_OF(MPI_MESSAGE_NULL)), 0)
  call communicators()
  call datatypes()
  call operations()
  call requests()
  call statuses()
  call attributes()
  call error_handlers()
  call other_objects()
  call many_objects()
  call check_end('mixed')

contains

  subroutine communicators()
    HANDLE(MPI_Comm) :: comm
    integer :: result
    IS(c_comm_size(VALUE_OF(MPI_COMM_WORLD)), 2)
    IS(c_comm_size(VALUE_OF(MPI_COMM_SELF)), 1)
    call MPI_Comm_split(MPI_COMM_WORLD, me, 0, comm, ierr); OK
    IS(c_comm_size(VALUE_OF(comm)), 1)
    call MPI_Comm_free(comm, ierr); OK
    VALUE_OF(comm) = c_make_comm()
    call MPI_Comm_compare(comm, MPI_COMM_WORLD, result, ierr); OK
    IS(result, MPI_CONGRUENT)
    call MPI_Barrier(comm, ierr); OK
    call MPI_Comm_free(comm, ierr); OK
  end subroutine

  subroutine datatypes()
    HANDLE(MPI_Datatype) :: type
    integer :: in(3)
    IS(c_type_size(VALUE_OF(MPI_INTEGER)), 4)
    IS(c_type_size(VALUE_OF(MPI_DOUBLE_COMPLEX)), 16)
    call MPI_Type_vector(2, 1, 3, MPI_REAL8, type, ierr); OK
    IS(c_type_size(VALUE_OF(type)), 16)
    call MPI_Type_free(type, ierr); OK
    VALUE_OF(type) = c_make_type()
    in = -1
    call MPI_Sendrecv([me, 2, 3], 1, type, other, 1, in, 3, MPI_INTEGER, other, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr); OK
    TRUE(all(in == [other, 2, 3]))
    call MPI_Type_free(type, ierr); OK
  end subroutine

  subroutine operations()
    HANDLE(MPI_Op) :: op
    integer :: result
    IS(c_reduce(me + 1, VALUE_OF(MPI_SUM), VALUE_OF(MPI_COMM_WORLD)), 3)
    call MPI_Op_create(larger, .true., op, ierr); OK
    IS(c_reduce(me + 5, VALUE_OF(op), VALUE_OF(MPI_COMM_WORLD)), 6)
    call MPI_Op_free(op, ierr); OK
    VALUE_OF(op) = c_make_op()
    call MPI_Allreduce(me + 1, result, 1, MPI_INTEGER, op, MPI_COMM_WORLD, ierr); OK
    IS(result, 6)
    call MPI_Op_free(op, ierr); OK
  end subroutine

  subroutine requests()
    HANDLE(MPI_Request) :: request
    integer ASYNCHRONOUS_ATTRIBUTE :: value
    integer :: status(MPI_STATUS_SIZE)
    STATUS(got)
    VALUE_OF(request) = c_start_receive(value, other, 11)
    call MPI_Send(me, 1, MPI_INTEGER, other, 11, MPI_COMM_WORLD, ierr); OK
    call MPI_Wait(request, got, ierr); OK
    IS(value, other)
    IS(FIELD(got, MPI_SOURCE), other)
    TRUE(request == MPI_REQUEST_NULL)
    call MPI_Irecv(value, 1, MPI_INTEGER, other, 12, MPI_COMM_WORLD, request, ierr); OK
    call MPI_Send(me + 100, 1, MPI_INTEGER, other, 12, MPI_COMM_WORLD, ierr); OK
    IS(c_wait(VALUE_OF(request), status), other)
    TRUE(request == MPI_REQUEST_NULL)
    IS(value, other + 100)
    ! Filled in C, read here.
    IS(status(MPI_SOURCE), other)
    IS(status(MPI_TAG), 12)
#if INTERFACE != 2008
    block
      integer :: count
      call MPI_Get_count(status, MPI_INTEGER, count, ierr); OK
      IS(count, 1)
    end block
#endif
  end subroutine

  ! Filled here, read in C.
  subroutine statuses()
    integer :: in(4)
    STATUS(got)
    call MPI_Sendrecv([1, 2, 3], 3, MPI_INTEGER, other, 21, in, 4, MPI_INTEGER, other, 21, MPI_COMM_WORLD, got, ierr); OK
#if INTERFACE != 2008
    IS(c_read_status(got, other, 21, 3), 0)
#ifndef MPIABI
    ! The standard ABI knows no variables of Fortran: its C has null pointers by these names.
    IS(c_is_status_ignore(MPI_STATUS_IGNORE), 1)
    IS(c_is_statuses_ignore(MPI_STATUSES_IGNORE), 1)
#endif
    IS(c_is_status_ignore(got), 0)
#elif defined(MPICH) || defined(MPIABI)
    block
      integer :: old(MPI_STATUS_SIZE)
      call MPI_Status_f082f(got, old, ierr); OK
      IS(c_read_status(old, other, 21, 3), 0)
      IS(c_read_f08_status(got, other, 21, 3), 0)
    end block
#endif
  end subroutine

  subroutine attributes()
    HANDLE(MPI_Comm) :: comm
    integer :: keyval
    integer(kind=MPI_ADDRESS_KIND) :: value, extra
    logical :: flag
    call MPI_Comm_dup(MPI_COMM_WORLD, comm, ierr); OK
    extra = 0
    call MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, keyval, extra, ierr); OK
    value = 12345678901_8
    call MPI_Comm_set_attr(comm, keyval, value, ierr); OK
    IS(c_attribute(VALUE_OF(comm), keyval, 1), 12345678901_8)
#if INTERFACE != 2008
    call MPI_Attr_put(comm, keyval, -8, ierr); OK
    IS(c_attribute(VALUE_OF(comm), keyval, 0), -8)
#endif
    call MPI_Comm_free_keyval(keyval, ierr); OK
    keyval = c_put_attribute(VALUE_OF(comm))
    call MPI_Comm_get_attr(comm, keyval, value, flag, ierr); OK
    IS(flag, .true.)
    IS(value, 4096)
    call MPI_Comm_free(comm, ierr); OK
    IS(c_deleted(), 1)
  end subroutine

  subroutine error_handlers()
    HANDLE(MPI_Comm) :: comm
    HANDLE(MPI_Errhandler) :: handler
    integer :: value
    call MPI_Comm_dup(MPI_COMM_WORLD, comm, ierr); OK
    VALUE_OF(handler) = c_make_errhandler()
    call MPI_Comm_set_errhandler(comm, handler, ierr); OK
    call MPI_Send(value, 1, MPI_INTEGER, 1000, 0, comm, ierr)
    FAILS(MPI_ERR_RANK)
    IS(c_errors(), 1)
    call MPI_Errhandler_free(handler, ierr); OK
    call MPI_Comm_create_errhandler(count_error, handler, ierr); OK
    call MPI_Comm_set_errhandler(comm, handler, ierr); OK
    IS(c_provoke(VALUE_OF(comm)), 1)
    IS(errors, 1)
    call MPI_Errhandler_free(handler, ierr); OK
    call MPI_Comm_free(comm, ierr); OK
  end subroutine

  subroutine other_objects()
    HANDLE(MPI_Group) :: group
    HANDLE(MPI_Info) :: info
    HANDLE(MPI_Win) :: win
    HANDLE(MPI_File) :: file
    HANDLE(MPI_Errhandler) :: handler
    integer ASYNCHRONOUS_ATTRIBUTE, save :: memory(8)
    integer(kind=MPI_ADDRESS_KIND) :: size
    character(len=200) :: directory
    size = 32
    call MPI_Comm_group(MPI_COMM_WORLD, group, ierr); OK
    call MPI_Info_create(info, ierr); OK
    call MPI_Info_set(info, 'key', 'of fortran', ierr); OK
    call MPI_Win_create(memory, size, 4, MPI_INFO_NULL, MPI_COMM_WORLD, win, ierr); OK
    call get_environment_variable('MPI_TEST_DIR', directory)
    call MPI_File_open(MPI_COMM_SELF, trim(directory)//'/mixed'//char(ichar('0') + me), MPI_MODE_RDWR + MPI_MODE_CREATE + &
      MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, file, ierr); OK
    call MPI_Comm_create_errhandler(count_error, handler, ierr); OK
    IS(c_others(VALUE_OF(group), VALUE_OF(info), VALUE_OF(win), VALUE_OF(file), VALUE_OF(handler)), 0)
    call MPI_Errhandler_free(handler, ierr); OK
    call MPI_File_close(file, ierr); OK
    call MPI_Win_free(win, ierr); OK
    call MPI_Info_free(info, ierr); OK
    call MPI_Group_free(group, ierr); OK
  end subroutine

  ! Handles stay apart, however many there are, and are taken again.
  subroutine many_objects()
    HANDLE(MPI_Datatype) :: types(2000)
    integer :: i, round, wrong
    wrong = 0
    do round = 1, 3
      do i = 1, 2000
        call MPI_Type_contiguous(i, MPI_BYTE, types(i), ierr)
      end do
      do i = 1, 2000
        if (c_type_size(VALUE_OF(types(i))) /= i) wrong = wrong + 1
        call MPI_Type_free(types(i), ierr)
      end do
    end do
    IS(wrong, 0)
  end subroutine
end program
