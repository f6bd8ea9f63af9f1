! SPDX-License-Identifier: BSD-3-Clause
! MPI_Win_get_name of mpi_f08 returns one character of a name.
!
! of: Open MPI
! section: MPI-4.1, 7.8 Naming Objects
! expected: name: a window, length: 8
! actual: name: *
program fortran_window_name
  use mpi_f08
  implicit none
  type(MPI_Win) :: win
  integer, target :: memory = 0
  integer :: length
  character(MPI_MAX_OBJECT_NAME) :: name
  call MPI_Init()
  call MPI_Win_create(memory, 4_MPI_ADDRESS_KIND, 1, MPI_INFO_NULL, MPI_COMM_WORLD, win)
  call MPI_Win_set_name(win, 'a window')
  name = ' '
  call MPI_Win_get_name(win, name, length)
  print '(3a,i0)', 'name: ', trim(name), ', length: ', length
  call MPI_Win_free(win)
  call MPI_Finalize()
end program
