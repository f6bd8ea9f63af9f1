! SPDX-License-Identifier: BSD-3-Clause
! A part in Fortran, whose communicators are integers anyway.

function sum_on(comm) bind(c)
  use, intrinsic :: iso_c_binding
  use mpi
  implicit none
  integer(c_int), value :: comm
  integer(c_int) :: sum_on
  integer :: ierr
  sum_on = 1
  call MPI_Allreduce(MPI_IN_PLACE, sum_on, 1, MPI_INTEGER, MPI_SUM, comm, ierr)
end function

function duplicate(comm) bind(c)
  use, intrinsic :: iso_c_binding
  use mpi
  implicit none
  integer(c_int), value :: comm
  integer(c_int) :: duplicate
  integer :: ierr
  call MPI_Comm_dup(comm, duplicate, ierr)
end function
