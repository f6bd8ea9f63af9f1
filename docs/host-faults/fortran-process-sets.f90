! SPDX-License-Identifier: BSD-3-Clause
! MPI_SESSION_GET_NTH_PSET counts process sets from 1. They are counted from 0 in every language.
!
! of: MPICH
! needs: MPI_Session_init
! section: MPI-4.1, 11.3.2 Processes Sets
! expected: the first set: T
! actual: the first set: F | ends
program fortran_process_sets
  use mpi
  implicit none
  integer :: session, length, ierr
  character(100) :: name
  call MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, session, ierr)
  length = len(name)
  name = ' '
  call MPI_Session_get_nth_pset(session, MPI_INFO_NULL, 0, length, name, ierr)
  print '(a,l1)', 'the first set: ', ierr == MPI_SUCCESS .and. name /= ' '
  call MPI_Session_finalize(session, ierr)
end program
