! SPDX-License-Identifier: BSD-3-Clause
!
! A C program with a part in Fortran, which does not initialize MPI: handles of one language are used
! and freed in the other, statuses filled in one and read in the other, MPI_F_STATUS_IGNORE of C is
! MPI_STATUS_IGNORE here.
! ranks: 2
! with: embedded_c.c
#include "check.h"

subroutine f_identify() bind(C)
  use checks
  implicit none
  call check_identify()
end subroutine

integer(c_int) function f_use(comm, type, op, request, status) bind(C)
  use, intrinsic :: iso_c_binding
  use checks
  USE_MPI
  implicit none
  MPIF_H
  integer(c_int), intent(in) :: comm, type, op
  integer(c_int) :: request, status(MPI_STATUS_SIZE)
  integer :: ierr, total, size
  HANDLE(MPI_Comm) :: its_comm
  HANDLE(MPI_Datatype) :: its_type
  HANDLE(MPI_Op) :: its_op
  HANDLE(MPI_Request) :: its_request
  STATUS(got)
  VALUE_OF(its_comm) = comm
  VALUE_OF(its_type) = type
  VALUE_OF(its_op) = op
  VALUE_OF(its_request) = request
  call MPI_Comm_size(its_comm, size, ierr); OK
  IS(size, 2)
  call MPI_Allreduce(me + 1, total, 1, MPI_INTEGER, its_op, its_comm, ierr); OK
  IS(total, 3)
  call MPI_Send([me, 40], 1, its_type, 1 - me, 7, its_comm, ierr); OK
  call MPI_Wait(its_request, got, ierr); OK
  IS(FIELD(got, MPI_TAG), 7)
  request = VALUE_OF(its_request)
  status = transfer(got, status)
  f_use = merge(1, 0, total == 3)
end function

subroutine f_make(comm, type, request, value) bind(C)
  use, intrinsic :: iso_c_binding
  use checks
  USE_MPI
  implicit none
  MPIF_H
  integer(c_int) :: comm, type, request
  integer(c_int) ASYNCHRONOUS_ATTRIBUTE :: value
  integer :: ierr
  HANDLE(MPI_Comm) :: its_comm
  HANDLE(MPI_Datatype) :: its_type
  HANDLE(MPI_Request) :: its_request
  call MPI_Comm_dup(MPI_COMM_WORLD, its_comm, ierr); OK
  call MPI_Type_contiguous(3, MPI_REAL, its_type, ierr); OK
  call MPI_Irecv(value, 1, MPI_INTEGER, 1 - me, 9, its_comm, its_request, ierr); OK
  comm = VALUE_OF(its_comm)
  type = VALUE_OF(its_type)
  request = VALUE_OF(its_request)
end subroutine

! The status may be the address that C calls MPI_F_STATUS_IGNORE.
subroutine f_fill_status(status) bind(C)
  use, intrinsic :: iso_c_binding
  use checks
  USE_MPI
  implicit none
  MPIF_H
  STATUS(status)
  integer :: ierr, value
  call MPI_Sendrecv(me, 1, MPI_INTEGER, 1 - me, 3, value, 1, MPI_INTEGER, 1 - me, 3, MPI_COMM_WORLD, status, ierr); OK
  IS(value, 1 - me)
end subroutine

subroutine f_end() bind(C)
  use checks
  implicit none
  call check_end('embedded')
end subroutine
