! SPDX-License-Identifier: BSD-3-Clause
! The error handler of a file is given another handle than the file's.
!
! of: MPICH
! section: MPI-4.1, 9.3.3 Error Handlers for Files
! expected: the file: T
! actual: the file: F | ends
module remembered
  implicit none
  integer :: seen
contains
  subroutine handle(file, code)
    integer :: file, code
    seen = file
  end subroutine
end module

program fortran_file_handler
  use mpi
  use remembered
  implicit none
  integer :: file, handler, ierr
  call MPI_Init(ierr)
  call MPI_File_open(MPI_COMM_SELF, 'host-fault.data', MPI_MODE_CREATE + MPI_MODE_RDWR + MPI_MODE_DELETE_ON_CLOSE, &
    MPI_INFO_NULL, file, ierr)
  call MPI_File_create_errhandler(handle, handler, ierr)
  call MPI_File_set_errhandler(file, handler, ierr)
  call MPI_File_call_errhandler(file, MPI_ERR_OTHER, ierr)
  print '(a,l1)', 'the file: ', seen == file
  call MPI_File_close(file, ierr)
  call MPI_Finalize(ierr)
end program
