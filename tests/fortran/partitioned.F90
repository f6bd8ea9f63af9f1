! SPDX-License-Identifier: BSD-3-Clause
!
! Partitioned communication of MPI-4, where the library has it. MPICH's module mpi says that MPI_Parrived returns an INTEGER.
! ranks: 2
! interfaces: 77 2008
#include "check.h"

program partitioned
  use checks
  USE_MPI
  implicit none
  MPIF_H
  integer :: ierr

  call check_begin()
  TRUE(processes == 2)
#if defined(MPICH) || defined(MPIABI)
  call partitions()
#endif
  call check_end('partitioned')

#if defined(MPICH) || defined(MPIABI)
contains

  subroutine partitions()
    integer ASYNCHRONOUS_ATTRIBUTE, save :: values(12)
    integer(kind=MPI_COUNT_KIND) :: count
    integer :: round, part, list(2)
    logical :: flag
    HANDLE(MPI_Request) :: request
    STATUS(status)
    if (me == 0) then
      count = 3
      call MPI_Psend_init(values, 4, count, MPI_INTEGER, 1, 5, MPI_COMM_WORLD, MPI_INFO_NULL, request, ierr); OK
    else
      count = 2
      call MPI_Precv_init(values, 6, count, MPI_INTEGER, 0, 5, MPI_COMM_WORLD, MPI_INFO_NULL, request, ierr); OK
    end if
    do round = 1, 3
      values = merge(round, 0, me == 0)
      call MPI_Start(request, ierr); OK
      if (me == 0) then
        list = [3, 1]
        call MPI_Pready_list(2, list, request, ierr); OK
        call MPI_Pready_range(2, 2, request, ierr); OK
        call MPI_Pready(0, request, ierr); OK
      else
        do part = 0, 5
          flag = .false.
          do while (.not. flag)
            call MPI_Parrived(request, part, flag, ierr)
          end do
          OK
          IS(values(2 * part + 1), round)
        end do
      end if
      call MPI_Wait(request, status, ierr); OK
      IS(values(12), round)
      if (me == 1) then
        IS(FIELD(status, MPI_SOURCE), 0)
        IS(FIELD(status, MPI_TAG), 5)
      end if
    end do
    call MPI_Request_free(request, ierr); OK
    TRUE(request == MPI_REQUEST_NULL)
  end subroutine
#endif
end program
