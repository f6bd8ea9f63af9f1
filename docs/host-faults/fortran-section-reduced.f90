! SPDX-License-Identifier: BSD-3-Clause
! A reduction of an array section takes wrong elements in mpi_f08, or fails, though sections are said to be supported.
!
! of: MPICH
! section: MPI-4.1, 19.1.12 Problems With Fortran Bindings for MPI (MPI_SUBARRAYS_SUPPORTED is .TRUE.)
! expected: sum: 1 3
! actual: sum: * | ends
program fortran_section_reduced
  use mpi_f08
  implicit none
  integer :: values(4), sums(2)
  call MPI_Init()
  if (.not. MPI_SUBARRAYS_SUPPORTED) then
    print '(a)', 'sum: 1 3'
  else
    values = [1, 2, 3, 4]
    call MPI_Allreduce(values(1:3:2), sums, 2, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
    print '(a,i0,1x,i0)', 'sum: ', sums
  end if
  call MPI_Finalize()
end program
