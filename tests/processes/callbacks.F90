! SPDX-License-Identifier: BSD-3-Clause
!
! A plugin whose procedures MPI calls: an operation, attributes, an error handler, a generalized request. Compiled with -DENTRY=name,
! -DNAMES=name_procedures and -DWEIGHT=n, by which the procedures of two plugins differ. Two ranks.
module NAMES
  implicit none
  include 'mpif.h'
  integer :: deleted = 0, handled = 0, queried = 0
contains

  subroutine combine(in, inout, length, datatype)
    integer :: length, datatype, in(length), inout(length)
    inout = inout + WEIGHT * in
  end subroutine

  subroutine copy(comm, keyval, extra, value, copied, flag, ierror)
    integer :: comm, keyval, ierror
    integer(MPI_ADDRESS_KIND) :: extra, value, copied
    logical :: flag
    copied = value + extra
    flag = .true.
    ierror = MPI_SUCCESS
  end subroutine

  subroutine delete(comm, keyval, value, extra, ierror)
    integer :: comm, keyval, ierror
    integer(MPI_ADDRESS_KIND) :: value, extra
    deleted = deleted + 1
    ierror = MPI_SUCCESS
  end subroutine

  subroutine handle(comm, code)
    integer :: comm, code, class, ierror
    call MPI_Error_class(code, class, ierror)
    if (class == MPI_ERR_RANK) handled = handled + WEIGHT
  end subroutine

  subroutine query(extra, status, ierror)
    integer(MPI_ADDRESS_KIND) :: extra
    integer :: status(MPI_STATUS_SIZE), ierror
    queried = queried + int(extra)
    call MPI_Status_set_elements(status, MPI_INTEGER, WEIGHT, ierror)
    call MPI_Status_set_cancelled(status, .false., ierror)
    status(MPI_SOURCE) = MPI_UNDEFINED
    status(MPI_TAG) = MPI_UNDEFINED
    ierror = MPI_SUCCESS
  end subroutine

  subroutine release(extra, ierror)
    integer(MPI_ADDRESS_KIND) :: extra
    integer :: ierror
    queried = queried + 1000
    ierror = MPI_SUCCESS
  end subroutine

  subroutine cancel(extra, complete, ierror)
    integer(MPI_ADDRESS_KIND) :: extra
    logical :: complete
    integer :: ierror
    ierror = MPI_SUCCESS
  end subroutine
end module

! As in constants.F90. With 1 it returns a sum of what was wrong: 1 the operation, 2 the attributes, 4 the error handler,
! 8 the generalized request.
integer(c_int) function ENTRY(what) bind(C)
  use, intrinsic :: iso_c_binding, only: c_int
  use NAMES
  implicit none
  integer(c_int), value :: what
  integer :: ierr, me
  ENTRY = 0
  if (what == 0) call MPI_Init(ierr)
  if (what == 2) call MPI_Finalize(ierr)
  if (what /= 1) return
  call MPI_Comm_rank(MPI_COMM_WORLD, me, ierr)
  deleted = 0
  handled = 0
  queried = 0
  call operation()
  call attributes()
  call handler()
  call request()

contains

  subroutine operation()
    integer :: op, x
    call MPI_Op_create(combine, .true., op, ierr)
    x = 1
    call MPI_Allreduce(MPI_IN_PLACE, x, 1, MPI_INTEGER, op, MPI_COMM_WORLD, ierr)
    if (x /= 1 + WEIGHT) ENTRY = ENTRY + 1
    call MPI_Op_free(op, ierr)
  end subroutine

  subroutine attributes()
    integer :: keyval, other
    integer(MPI_ADDRESS_KIND) :: value
    logical :: found
    call MPI_Comm_create_keyval(copy, delete, keyval, int(WEIGHT, MPI_ADDRESS_KIND), ierr)
    call MPI_Comm_set_attr(MPI_COMM_SELF, keyval, 40_MPI_ADDRESS_KIND, ierr)
    call MPI_Comm_dup(MPI_COMM_SELF, other, ierr)
    call MPI_Comm_get_attr(other, keyval, value, found, ierr)
    call MPI_Comm_free(other, ierr)
    call MPI_Comm_delete_attr(MPI_COMM_SELF, keyval, ierr)
    call MPI_Comm_free_keyval(keyval, ierr)
    if (.not. found .or. value /= 40 + WEIGHT .or. deleted /= 2) ENTRY = ENTRY + 2
  end subroutine

  subroutine handler()
    integer :: own, other
    call MPI_Comm_dup(MPI_COMM_SELF, other, ierr)
    call MPI_Comm_create_errhandler(handle, own, ierr)
    call MPI_Comm_set_errhandler(other, own, ierr)
    call MPI_Errhandler_free(own, ierr)
    call MPI_Send(me, 1, MPI_INTEGER, 5, 0, other, ierr)
    if (handled /= WEIGHT) ENTRY = ENTRY + 4
    call MPI_Comm_free(other, ierr)
  end subroutine

  subroutine request()
    integer :: own, status(MPI_STATUS_SIZE), count
    call MPI_Grequest_start(query, release, cancel, int(WEIGHT, MPI_ADDRESS_KIND), own, ierr)
    call MPI_Grequest_complete(own, ierr)
    call MPI_Wait(own, status, ierr)
    call MPI_Get_count(status, MPI_INTEGER, count, ierr)
    if (count /= WEIGHT .or. queried /= 1000 + WEIGHT) ENTRY = ENTRY + 8
  end subroutine
end function
