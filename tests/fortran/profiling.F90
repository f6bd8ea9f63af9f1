! SPDX-License-Identifier: BSD-3-Clause
!
! The profiling interface: PMPI_ names, and a program that defines a procedure of MPI itself and calls
! the library's by its other name.
! ranks: 2
! interfaces: 77
#include "check.h"

module counts
  implicit none
  integer :: barriers = 0, sends = 0
end module

subroutine MPI_Barrier(comm, ierr)
  use counts
  implicit none
  integer :: comm, ierr
  barriers = barriers + 1
  call PMPI_Barrier(comm, ierr)
end subroutine

subroutine MPI_Send(buffer, count, type, dest, tag, comm, ierr)
  use counts
  implicit none
  integer :: buffer(*), count, type, dest, tag, comm, ierr
  sends = sends + 1
  call PMPI_Send(buffer, count, type, dest, tag, comm, ierr)
end subroutine

program profiling
  use checks
  use counts
  implicit none
  MPIF_H
  integer :: ierr, rank, value, got(MPI_STATUS_SIZE)
  double precision :: start

  call check_begin()
  call PMPI_Comm_rank(MPI_COMM_WORLD, rank, ierr); OK
  IS(rank, me)
  call MPI_Barrier(MPI_COMM_WORLD, ierr); OK
  IS(barriers, 1)
  if (me == 0) then
    call MPI_Send(5, 1, MPI_INTEGER, 1, 2, MPI_COMM_WORLD, ierr); OK
    IS(sends, 1)
  else
    call PMPI_Recv(value, 1, MPI_INTEGER, 0, 2, MPI_COMM_WORLD, got, ierr); OK
    IS(value, 5)
    IS(got(MPI_TAG), 2)
  end if
  start = PMPI_Wtime()
  TRUE(PMPI_Wtime() >= start)
  call PMPI_Allreduce(me, value, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr); OK
  IS(value, 1)
  ! The library's own calls are not the program's.
  IS(barriers, 1)
  call check_end('profiling')
end program
