! SPDX-License-Identifier: BSD-3-Clause
! MPI_WAIT changes MPI_ERROR of the status, which only procedures that complete several requests may do.
!
! of: Open MPI
! section: MPI-4.1, 3.2.5 Return Status
! expected: MPI_ERROR: 12345
! actual: MPI_ERROR: *
program fortran_wait_error
  use mpi
  implicit none
  integer :: request, status(MPI_STATUS_SIZE), value, ierr
  call MPI_Init(ierr)
  status(MPI_ERROR) = 12345
  call MPI_Irecv(value, 1, MPI_INTEGER, 0, 0, MPI_COMM_SELF, request, ierr)
  call MPI_Send(7, 1, MPI_INTEGER, 0, 0, MPI_COMM_SELF, ierr)
  call MPI_Wait(request, status, ierr)
  print '(a,i0)', 'MPI_ERROR: ', status(MPI_ERROR)
  call MPI_Finalize(ierr)
end program
