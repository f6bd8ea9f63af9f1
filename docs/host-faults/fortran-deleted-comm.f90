! SPDX-License-Identifier: BSD-3-Clause
! A function that deletes an attribute of a communicator is given another handle than the communicator's.
!
! of: Open MPI
! section: MPI-4.1, 7.7.2 Communicators
! expected: the communicator: T
! actual: the communicator: F | ends
module remembered
  implicit none
  integer :: seen
contains
  subroutine delete(comm, key, value, state, ierr)
    use mpi
    integer :: comm, key, ierr
    integer(MPI_ADDRESS_KIND) :: value, state
    seen = comm
    ierr = MPI_SUCCESS
  end subroutine
end module

program fortran_deleted_comm
  use mpi
  use remembered
  implicit none
  integer :: comm, made, key, ierr
  call MPI_Init(ierr)
  call MPI_Comm_dup(MPI_COMM_WORLD, comm, ierr)
  made = comm
  call MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, delete, key, 0_MPI_ADDRESS_KIND, ierr)
  call MPI_Comm_set_attr(comm, key, 1_MPI_ADDRESS_KIND, ierr)
  call MPI_Comm_free(comm, ierr)
  print '(a,l1)', 'the communicator: ', seen == made
  call MPI_Finalize(ierr)
end program
