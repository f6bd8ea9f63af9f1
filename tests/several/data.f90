! SPDX-License-Identifier: BSD-3-Clause
! The Fortran of a part, which hands its constants to the part's C (data.c). PART names both.

subroutine PART_FORTRAN(right) bind(c)
  use, intrinsic :: iso_c_binding
  implicit none
  include 'mpif.h'
  integer(c_int) :: right
  integer :: ierr
  call PART_CHECK(MPI_STATUS_IGNORE, MPI_STATUSES_IGNORE, right)
  call MPI_Sendrecv(right, 0, MPI_INTEGER, 0, 0, right, 0, MPI_INTEGER, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE, ierr)
  if (ierr /= MPI_SUCCESS) right = 0
end subroutine
