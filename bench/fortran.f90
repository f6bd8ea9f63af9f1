! SPDX-License-Identifier: BSD-3-Clause
! A few kinds of calls as in calls.c, from Fortran, by one of the three interfaces: -DINTERFACE_mpif,
! -DINTERFACE_usempi or -DINTERFACE_f08. Kinds are called NAME_send and so on.
#if defined INTERFACE_mpif
#define NAME "mpif"
#define HANDLE integer
#elif defined INTERFACE_usempi
#define NAME "usempi"
#define HANDLE integer
#else
#define NAME "f08"
#define HANDLE type(MPI_Request)
#endif

program fortran
  use, intrinsic :: iso_c_binding
#if defined INTERFACE_usempi
  use mpi
#elif defined INTERFACE_f08
  use mpi_f08
#endif
  implicit none
#if defined INTERFACE_mpif
  include 'mpif.h'
#endif
  interface
    subroutine counted_begin(kind, procedures, calls) bind(c)
      import
      character(kind=c_char), intent(in) :: kind(*), procedures(*)
      integer(c_int), value :: calls
    end subroutine
    integer(c_int) function counted_batch() bind(c)
      import
    end function
    integer(c_int) function counted_calls(number) bind(c)
      import
      integer(c_int), value :: number
    end function
  end interface
  integer, parameter :: window = 16
  HANDLE :: requests(window), request
  integer :: from, to, rank, error, calls, i, k

  call mpi_init(error)
  from = 1
  calls = counted_calls(1600)
  call counted_begin(NAME//"_comm_rank"//c_null_char, "MPI_Comm_rank"//c_null_char, calls)
  do while (counted_batch() /= 0)
    do i = 1, calls
      call mpi_comm_rank(MPI_COMM_WORLD, rank, error)
    end do
  end do
  call counted_begin(NAME//"_send"//c_null_char, &
                     "MPI_Irecv MPI_Send MPI_Wait MPI_Request_toint MPI_Request_fromint"//c_null_char, calls)
  do while (counted_batch() /= 0)
    do i = 1, calls
      call mpi_irecv(to, 1, MPI_INTEGER, 0, 1, MPI_COMM_WORLD, request, error)
      call mpi_send(from, 1, MPI_INTEGER, 0, 1, MPI_COMM_WORLD, error)
      call mpi_wait(request, MPI_STATUS_IGNORE, error)
    end do
  end do
  call counted_begin(NAME//"_window"//c_null_char, &
                     "MPI_Irecv MPI_Isend MPI_Waitall MPI_Request_toint MPI_Request_fromint"//c_null_char, calls)
  do while (counted_batch() /= 0)
    do i = 1, calls / window
      do k = 1, window / 2
        call mpi_irecv(to, 1, MPI_INTEGER, 0, 1, MPI_COMM_WORLD, requests(k), error)
      end do
      do k = window / 2 + 1, window
        call mpi_isend(from, 1, MPI_INTEGER, 0, 1, MPI_COMM_WORLD, requests(k), error)
      end do
      call mpi_waitall(window, requests, MPI_STATUSES_IGNORE, error)
    end do
  end do
  call mpi_finalize(error)
end program
