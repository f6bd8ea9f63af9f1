! SPDX-License-Identifier: BSD-3-Clause
! MPI_INFO_GET with the greatest valuelen fails or returns nothing: the library adds 1 to it.
!
! of: MPICH
! section: MPI-4.1, 16.3 Deprecated since MPI-4.0 (MPI-3.1, 9)
! expected: success: T, value: abcdef
! actual: success: T, value:* | success: F, value: * | ends
program fortran_info_huge
  use mpi
  implicit none
  integer :: info, ierr
  logical :: found
  character(8) :: value
  call MPI_Init(ierr)
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN, ierr)
  call MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN, ierr)
  call MPI_Info_create(info, ierr)
  call MPI_Info_set(info, 'key', 'abcdef', ierr)
  value = ' '
  call MPI_Info_get(info, 'key', huge(0), value, found, ierr)
  print '(a,l1,2a)', 'success: ', ierr == MPI_SUCCESS, ', value: ', trim(value)
  call MPI_Finalize(ierr)
end program
