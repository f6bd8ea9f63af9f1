! SPDX-License-Identifier: BSD-3-Clause
!
! Memory runs out (fail_allocation.c) in calls from Fortran: each call in turn meets each failure that it can, and either works or
! returns MPI_ERR_NO_MEM.
#include "check.h"
module failing
  USE_MPI
  use, intrinsic :: iso_c_binding, only: c_int, c_long
  implicit none
  MPIF_H
  integer, parameter :: many = 100
  integer :: ierr
  integer :: numbers(0:2 * many - 1), ones(many), zeros(many), indices(many)
  integer(MPI_ADDRESS_KIND) :: places(many), extra
  logical :: flags(many), flag
  HANDLE(MPI_Datatype) :: types(many), made_type, got_types(many)
  HANDLE(MPI_Request) :: requests(many), persistent(many), request
  HANDLE(MPI_Comm) :: ring, grid, made_comm
  HANDLE(MPI_Info) :: info
  HANDLE(MPI_Op) :: op
  HANDLE(MPI_Errhandler) :: errhandler
  STATUSES(statuses, many)
  STATUS(a_status)
  integer :: numbers_in(many + 1), keyval, completed
  character(len=600) :: text, value

  interface
    function fail_allocation(number) bind(C) result(has_failed)
      import c_int, c_long
      integer(c_long), value :: number
      integer(c_int) :: has_failed
    end function
  end interface

contains

  subroutine adds(invec, inoutvec, length, datatype)
#if INTERFACE == 2008
    use, intrinsic :: iso_c_binding, only: c_ptr
    type(c_ptr), value :: invec, inoutvec
#else
    integer :: invec(*), inoutvec(*)
#endif
    integer :: length
    HANDLE(MPI_Datatype) :: datatype
  end subroutine

  subroutine handles(comm, code)
    HANDLE(MPI_Comm) :: comm
    integer :: code
  end subroutine

  subroutine queries(state, status, ierror)
    integer(MPI_ADDRESS_KIND) :: state
    STATUS(status)
    integer :: ierror
    ierror = MPI_SUCCESS
  end subroutine

  subroutine frees(state, ierror)
    integer(MPI_ADDRESS_KIND) :: state
    integer :: ierror
    ierror = MPI_SUCCESS
  end subroutine

  subroutine cancels(state, complete, ierror)
    integer(MPI_ADDRESS_KIND) :: state
    logical :: complete
    integer :: ierror
    ierror = MPI_SUCCESS
  end subroutine

  subroutine begin_many()
    integer :: i, code
    do i = 1, many, 2
      call MPI_Irecv(numbers(i), 1, MPI_INTEGER, 0, i, MPI_COMM_SELF, requests(i), code)
      call MPI_Isend(ones(i), 1, MPI_INTEGER, 0, i, MPI_COMM_SELF, requests(i + 1), code)
    end do
  end subroutine

  ! All complete, whatever a call for many of them returned.
  subroutine end_many(all_requests)
    HANDLE(MPI_Request) :: all_requests(many)
    integer :: i, code
    do i = 1, many
      call MPI_Wait(all_requests(i), a_status, code)
    end do
  end subroutine

  ! Arrays that are not contiguous: the interfaces of Open MPI 4.1 do not take sections.
  subroutine sections(call_number)
    integer, intent(in) :: call_number
#if INTERFACE == 2008 && !defined(OPENMPI)
    if (call_number == 1) then
      call MPI_Isend(numbers(0:198:2), 99, MPI_INTEGER, MPI_PROC_NULL, 0, MPI_COMM_SELF, request, ierr)
      if (ierr == MPI_SUCCESS) call MPI_Wait(request, a_status, ierr)
    else
      call MPI_Bcast(numbers(0:198:2), 100, MPI_INTEGER, 0, MPI_COMM_SELF, ierr)
    end if
#else
    ierr = MPI_SUCCESS
#endif
  end subroutine

  ! Makes a call, and frees what it made.
  subroutine make(call_number)
    integer, intent(in) :: call_number
    integer :: code
    ierr = MPI_SUCCESS
    select case (call_number)
    case (1, 2)
      call sections(call_number)
    case (3)
      call MPI_Type_create_struct(many, ones, places, types, made_type, ierr)
      if (ierr == MPI_SUCCESS) call MPI_Type_free(made_type, code)
    case (4)
      call MPI_Type_create_struct(many, ones, places, types, made_type, code)
      if (code == MPI_SUCCESS) then
        call MPI_Type_get_contents(made_type, many + 1, many, many, numbers_in, places, got_types, ierr)
        call MPI_Type_free(made_type, code)
      end if
    case (5)
      call begin_many()
      call MPI_Waitall(many, requests, statuses, ierr)
      call end_many(requests)
    case (6)
      call begin_many()
      call MPI_Testall(many, requests, flag, statuses, ierr)
      call end_many(requests)
    case (7)
      call begin_many()
      call MPI_Waitany(many, requests, completed, a_status, ierr)
      call end_many(requests)
    case (8)
      call begin_many()
      call MPI_Testany(many, requests, completed, flag, a_status, ierr)
      call end_many(requests)
    case (9)
      call begin_many()
      call MPI_Waitsome(many, requests, completed, indices, statuses, ierr)
      call end_many(requests)
    case (10)
      call MPI_Startall(many, persistent, ierr)
      call end_many(persistent)
    case (11)
      call MPI_Cart_create(MPI_COMM_SELF, many, ones, flags, .false., made_comm, ierr)
      if (ierr == MPI_SUCCESS) call MPI_Comm_free(made_comm, code)
    case (12)
      call MPI_Cart_sub(grid, flags, made_comm, ierr)
      if (ierr == MPI_SUCCESS) call MPI_Comm_free(made_comm, code)
    case (13)
      call MPI_Neighbor_alltoallw(numbers, ones, places, types, numbers(many), ones, places, types, ring, ierr)
    case (14)
      call MPI_Info_get(info, 'key', 600, value, flag, ierr)
    case (15)
      call MPI_Comm_set_name(ring, text, ierr)
    case (16)
      call MPI_Grequest_start(queries, frees, cancels, extra, request, ierr)
      if (ierr == MPI_SUCCESS) then
        call MPI_Grequest_complete(request, code)
        call MPI_Wait(request, a_status, code)
      end if
    case (17)
      call MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, keyval, extra, ierr)
      if (ierr == MPI_SUCCESS) then
        call MPI_Comm_set_attr(ring, keyval, extra, ierr)
        if (ierr == MPI_SUCCESS) call MPI_Comm_delete_attr(ring, keyval, code)
        call MPI_Comm_free_keyval(keyval, code)
      end if
    case (18)
      call MPI_Op_create(adds, .true., op, ierr)
      if (ierr == MPI_SUCCESS) call MPI_Op_free(op, code)
    case (19)
      call MPI_Comm_create_errhandler(handles, errhandler, ierr)
      if (ierr == MPI_SUCCESS) call MPI_Errhandler_free(errhandler, code)
#if INTERFACE != 2008 && !defined(MPIABI)
    case (20)
      call MPI_Type_struct(many, ones, zeros, types, made_type, ierr)
      if (ierr == MPI_SUCCESS) call MPI_Type_free(made_type, code)
#endif
    end select
  end subroutine
end module

program allocations
  use failing
  implicit none
  integer, parameter :: calls = 20
  integer :: i, number, code, class, failures = 0
  logical :: is_wrong = .false., has_failed

  call MPI_Init(ierr)
  call MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN, ierr)
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN, ierr)
  numbers = 0; ones = 1; zeros = 0; extra = 1; flags = .false.; text = repeat('x', 600)
  do i = 1, many
    places(i) = 4 * (i - 1)
    types(i) = MPI_INTEGER
    call MPI_Send_init(ones, 1, MPI_INTEGER, MPI_PROC_NULL, 0, MPI_COMM_SELF, persistent(i), ierr)
  end do
  call MPI_Dist_graph_create_adjacent(MPI_COMM_SELF, many, zeros, ones, many, zeros, ones, MPI_INFO_NULL, .false., ring, ierr)
  call MPI_Cart_create(MPI_COMM_SELF, many, ones, flags, .false., grid, ierr)
  call MPI_Info_create(info, ierr)
  call MPI_Info_set(info, 'key', 'value', ierr)

  do i = 1, calls
    number = 0
    has_failed = .true.
    do while (has_failed)
      number = number + 1
      code = fail_allocation(int(number, c_long))
      call make(i)
      has_failed = fail_allocation(0_c_long) /= 0
      if (has_failed) failures = failures + 1
      call MPI_Error_class(ierr, class, code)
      if (class /= MPI_SUCCESS .and. .not. (has_failed .and. class == MPI_ERR_NO_MEM)) then
        is_wrong = .true.
        print '(3(a,i0))', 'call ', i, ' returns class ', class, ' without allocation ', number
      end if
    end do
  end do
  if (failures < 15) is_wrong = .true.
  write(0, '(i0,a)') failures, ' allocations failed'
  if (is_wrong) print '(a)', 'WRONG'
  if (.not. is_wrong) print '(a)', 'right'
  call MPI_Finalize(ierr)
end program
