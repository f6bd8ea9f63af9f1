! SPDX-License-Identifier: BSD-3-Clause
! The exchanges of pingpong.c, from Fortran.
program pingpong
  use, intrinsic :: iso_c_binding
  use mpi
  implicit none
  interface
    subroutine pingpong_batch(batch, seconds, exchanges) bind(c)
      import
      integer(c_int), value :: batch, exchanges
      real(c_double), value :: seconds
    end subroutine
    subroutine pingpong_print() bind(c)
    end subroutine
  end interface
  integer, parameter :: batches = 15
  integer :: rank, sent, received, exchanges, batch, i, error
  character(len=16) :: argument
  double precision :: began

  exchanges = 20000
  call get_command_argument(1, argument)
  if (argument /= ' ') read (argument, *) exchanges
  sent = 1
  call mpi_init(error)
  call mpi_comm_rank(MPI_COMM_WORLD, rank, error)
  do batch = 0, batches
    call mpi_barrier(MPI_COMM_WORLD, error)
    began = mpi_wtime()
    do i = 1, exchanges
      if (rank == 0) then
        call mpi_send(sent, 1, MPI_INTEGER, 1, 1, MPI_COMM_WORLD, error)
        call mpi_recv(received, 1, MPI_INTEGER, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
      else
        call mpi_recv(received, 1, MPI_INTEGER, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
        call mpi_send(sent, 1, MPI_INTEGER, 0, 1, MPI_COMM_WORLD, error)
      end if
    end do
    call pingpong_batch(batch, mpi_wtime() - began, exchanges)
  end do
  if (rank == 0) call pingpong_print()
  call mpi_finalize(error)
end program
