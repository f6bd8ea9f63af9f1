! SPDX-License-Identifier: BSD-3-Clause
! MPI_WAITANY without an active request returns MPI_UNDEFINED + 1.
!
! of: MPICH
! section: MPI-4.1, 3.7.5 Multiple Completions
! expected: MPI_UNDEFINED: T
! actual: MPI_UNDEFINED: F
program fortran_no_index
  use mpi
  implicit none
  integer :: requests(2), index, ierr
  call MPI_Init(ierr)
  requests = MPI_REQUEST_NULL
  call MPI_Waitany(2, requests, index, MPI_STATUS_IGNORE, ierr)
  print '(a,l1)', 'MPI_UNDEFINED: ', index == MPI_UNDEFINED
  call MPI_Finalize(ierr)
end program
