! SPDX-License-Identifier: BSD-3-Clause
!
! Sections of arrays as buffers of mpi_f08. A library with MPI_SUBARRAYS_SUPPORTED moves them itself,
! nonblocking operations and MPI_IN_PLACE included, with a datatype that it makes for the operation.
! Without it the compiler copies, which serves blocking operations only.
! ranks: 2
! interfaces: 2008
#include "check.h"
program sections
  use checks
  use mpi_f08
  implicit none
  integer :: ierr, other

  call check_begin()
  other = 1 - me
  call blocking()
  call matrices()
  call derived_types()
  call shapes()
  call in_place()
  call reversed()
  call packing()
  if (.not. known_fault('unfit-sections')) call unfit()
#if defined(MPICH) || defined(MPIABI)
  ! The interfaces of Open MPI 4.1 do not take sections here.
  TRUE(MPI_SUBARRAYS_SUPPORTED)
  call nonblocking()
  call persistent()
  call collectives()
  call many()
  if (.not. known_fault('reduces-sections')) call refused()
  call one_sided()
#endif
  call check_end('sections')

contains

  subroutine blocking()
    integer :: out(10), in(10), i
    type(MPI_Status) :: status
    out = [(100 * me + i, i = 1, 10)]
    in = -1
    if (me == 0) then
      call MPI_Send(out(1:10:2), 5, MPI_INTEGER, 1, 1, MPI_COMM_WORLD, ierr); OK
      call MPI_Recv(in(2:10:4), 3, MPI_INTEGER, 1, 2, MPI_COMM_WORLD, status, ierr); OK
      call MPI_Get_count(status, MPI_INTEGER, i, ierr); OK
      IS(i, 3)
      TRUE(all(in == [-1, 101, -1, -1, -1, 103, -1, -1, -1, 105]))
    else
      call MPI_Recv(in, 10, MPI_INTEGER, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr); OK
      TRUE(all(in(1:5) == [1, 3, 5, 7, 9]))
      IS(in(6), -1)
      call MPI_Ssend(out(1:6:2), 3, MPI_INTEGER, 0, 2, MPI_COMM_WORLD, ierr); OK
    end if
  end subroutine

  ! A row, a block and a plane are no contiguous memory.
  subroutine matrices()
    integer :: a(4, 5), b(4, 5), c(2, 3, 4), d(2, 3, 4), i
    a = reshape([(100 * me + i, i = 1, 20)], [4, 5])
    b = 0
    call MPI_Sendrecv(a(2, :), 5, MPI_INTEGER, other, 1, b(3, :), 5, MPI_INTEGER, other, 1, MPI_COMM_WORLD, &
      MPI_STATUS_IGNORE, ierr); OK
    TRUE(all(b(3, :) == [2, 6, 10, 14, 18] + 100 * other))
    IS(count(b == 0), 15)
    b = 0
    call MPI_Sendrecv(a(2:3, 1:5:2), 6, MPI_INTEGER, other, 1, b(1:2, 3:5), 6, MPI_INTEGER, other, 1, MPI_COMM_WORLD, &
      MPI_STATUS_IGNORE, ierr); OK
    TRUE(all(b(1:2, 3:5) == reshape([2, 3, 10, 11, 18, 19] + 100 * other, [2, 3])))
    IS(count(b == 0), 14)
    c = reshape([(100 * me + i, i = 1, 24)], [2, 3, 4])
    d = 0
    call MPI_Sendrecv(c(:, 2, :), 8, MPI_INTEGER, other, 1, d(:, 1, :), 8, MPI_INTEGER, other, 1, MPI_COMM_WORLD, &
      MPI_STATUS_IGNORE, ierr); OK
    TRUE(all(d(:, 1, :) == reshape([3, 4, 9, 10, 15, 16, 21, 22] + 100 * other, [2, 4])))
    IS(count(d == 0), 16)
  end subroutine

  subroutine derived_types()
    type :: particle
      sequence
      real(kind=8) :: x
      integer :: kind, charge
    end type
    type(particle) :: out(4), in(4)
    integer :: i
    out = [(particle(i + 0.5d0, 10 * i, me), i = 1, 4)]
    in = particle(0d0, 0, 0)
    ! One component of each.
    call MPI_Sendrecv(out%kind, 4, MPI_INTEGER, other, 1, in%kind, 4, MPI_INTEGER, other, 1, MPI_COMM_WORLD, &
      MPI_STATUS_IGNORE, ierr); OK
    TRUE(all(in%kind == [10, 20, 30, 40]))
    TRUE(all(in%charge == 0))
    call MPI_Sendrecv(out(2:4:2)%x, 2, MPI_DOUBLE_PRECISION, other, 1, in(1:2)%x, 2, MPI_DOUBLE_PRECISION, other, 1, &
      MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr); OK
    TRUE(all(in(1:2)%x == [2.5d0, 4.5d0]))
  end subroutine

  ! Sections that are contiguous after all, single elements, nothing.
  subroutine shapes()
    integer :: a(4, 4), b(4), i
    a = reshape([(100 * me + i, i = 1, 16)], [4, 4])
    b = 0
    call MPI_Sendrecv(a(:, 3), 4, MPI_INTEGER, other, 1, b, 4, MPI_INTEGER, other, 1, MPI_COMM_WORLD, &
      MPI_STATUS_IGNORE, ierr); OK
    TRUE(all(b == [9, 10, 11, 12] + 100 * other))
    call MPI_Sendrecv(a(2:2, 4:4), 1, MPI_INTEGER, other, 1, b(1:1), 1, MPI_INTEGER, other, 1, MPI_COMM_WORLD, &
      MPI_STATUS_IGNORE, ierr); OK
    IS(b(1), 14 + 100 * other)
    call MPI_Sendrecv(a(1:0, :), 0, MPI_INTEGER, other, 1, b(1:0), 0, MPI_INTEGER, other, 1, MPI_COMM_WORLD, &
      MPI_STATUS_IGNORE, ierr); OK
    ! Fewer elements than the section has.
    b = 0
    call MPI_Sendrecv(a(1, :), 2, MPI_INTEGER, other, 1, b(1:4:2), 2, MPI_INTEGER, other, 1, MPI_COMM_WORLD, &
      MPI_STATUS_IGNORE, ierr); OK
    TRUE(all(b == [1 + 100 * other, 0, 5 + 100 * other, 0]))
  end subroutine

  subroutine in_place()
    integer :: a(2, 4)
    if (known_fault('reduces-sections')) return
    a(1, :) = [1, 2, 3, 4] * (me + 1)
    a(2, :) = -1
    call MPI_Allreduce(MPI_IN_PLACE, a(1, :), 4, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr); OK
    TRUE(all(a(1, :) == [3, 6, 9, 12]))
    TRUE(all(a(2, :) == -1))
  end subroutine

  subroutine reversed()
    integer :: out(5), in(5)
    out = [1, 2, 3, 4, 5] + 10 * me
    in = 0
    call MPI_Sendrecv(out(5:1:-1), 5, MPI_INTEGER, other, 1, in, 5, MPI_INTEGER, other, 1, MPI_COMM_WORLD, &
      MPI_STATUS_IGNORE, ierr); OK
    TRUE(all(in == [5, 4, 3, 2, 1] + 10 * other))
    in = 0
    call MPI_Sendrecv(out, 5, MPI_INTEGER, other, 1, in(5:1:-1), 5, MPI_INTEGER, other, 1, MPI_COMM_WORLD, &
      MPI_STATUS_IGNORE, ierr); OK
    TRUE(all(in == [5, 4, 3, 2, 1] + 10 * other))
  end subroutine

  subroutine packing()
    integer :: a(2, 4), b(2, 4), position
    character :: room(100)
    a = reshape([1, 2, 3, 4, 5, 6, 7, 8], [2, 4])
    b = 0
    position = 0
    call MPI_Pack(a(2, :), 4, MPI_INTEGER, room, 100, position, MPI_COMM_WORLD, ierr); OK
    position = 0
    if (known_fault('unpacks-sections')) return
    call MPI_Unpack(room, 100, position, b(1, :), 4, MPI_INTEGER, MPI_COMM_WORLD, ierr); OK
    TRUE(all(b(1, :) == [2, 4, 6, 8]))
    TRUE(all(b(2, :) == 0))
  end subroutine

  ! Elements of the datatype that are no elements of the section: blocking calls count them in a copy of it.
  subroutine unfit()
    integer :: a(10), b(10), i, position
    character :: room(100)
    character(len=2) :: letters(3)
    type(MPI_Datatype) :: apart
    a = [(100 * me + i, i = 1, 10)]
    b = -1
    call MPI_Sendrecv(a(1:8:2), 2, MPI_2INTEGER, other, 1, b(2:8:2), 2, MPI_2INTEGER, other, 1, MPI_COMM_WORLD, &
      MPI_STATUS_IGNORE, ierr); OK
    TRUE(all(b(2:8:2) == [1, 3, 5, 7] + 100 * other))
    IS(count(b == -1), 6)
    call MPI_Sendrecv_replace(b(2:8:2), 1, MPI_2INTEGER, other, 1, other, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr); OK
    TRUE(all(b(2:8:2) == [1 + 100 * me, 3 + 100 * me, 5 + 100 * other, 7 + 100 * other]))
    ! Every other element of the section.
    call MPI_Type_vector(2, 1, 2, MPI_INTEGER, apart, ierr); OK
    call MPI_Type_commit(apart, ierr); OK
    b = -1
    position = 0
    call MPI_Pack(a(10:1:-3), 1, apart, room, 100, position, MPI_COMM_WORLD, ierr); OK
    position = 0
    call MPI_Unpack(room, 100, position, b(1:9:4), 1, apart, MPI_COMM_WORLD, ierr); OK
    TRUE(all(b == [a(10), -1, -1, -1, -1, -1, -1, -1, a(4), -1]))
    call MPI_Type_free(apart, ierr); OK
    letters = ['ab', 'cd', 'ef']
    if (me == 0) call MPI_Send(letters(1:3:2), 1, MPI_INTEGER, 1, 1, MPI_COMM_WORLD, ierr); OK
    letters = '..'
    if (me == 1) call MPI_Recv(letters(3:1:-2), 1, MPI_INTEGER, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr); OK
    TRUE(me == 0 .or. all(letters == ['ef', '..', 'ab']))
  end subroutine

#if defined(MPICH) || defined(MPIABI)
  subroutine nonblocking()
    integer ASYNCHRONOUS_ATTRIBUTE :: out(4, 6), in(4, 6)
    type(MPI_Request) :: requests(4)
    type(MPI_Status) :: statuses(4)
    integer :: i
    out = reshape([(100 * me + i, i = 1, 24)], [4, 6])
    in = 0
    call MPI_Irecv(in(1, :), 6, MPI_INTEGER, other, 1, MPI_COMM_WORLD, requests(1), ierr); OK
    call MPI_Irecv(in(3, ::2), 3, MPI_INTEGER, other, 2, MPI_COMM_WORLD, requests(2), ierr); OK
    call MPI_Isend(out(4, :), 6, MPI_INTEGER, other, 1, MPI_COMM_WORLD, requests(3), ierr); OK
    call MPI_Issend(out(2, 2::2), 3, MPI_INTEGER, other, 2, MPI_COMM_WORLD, requests(4), ierr); OK
    call MPI_Waitall(4, requests, statuses, ierr); OK
    TRUE(all(in(1, :) == [4, 8, 12, 16, 20, 24] + 100 * other))
    TRUE(all(in(3, ::2) == [6, 14, 22] + 100 * other))
    IS(count(in == 0), 15)
    call MPI_Get_count(statuses(2), MPI_INTEGER, i, ierr); OK
    IS(i, 3)
  end subroutine

  subroutine persistent()
    integer ASYNCHRONOUS_ATTRIBUTE :: out(6), in(6)
    type(MPI_Request) :: requests(2)
    integer :: round
    call MPI_Send_init(out(1:6:2), 3, MPI_INTEGER, other, 1, MPI_COMM_WORLD, requests(1), ierr); OK
    call MPI_Recv_init(in(2:6:2), 3, MPI_INTEGER, other, 1, MPI_COMM_WORLD, requests(2), ierr); OK
    do round = 1, 3
      out = round * 10 + me
      in = 0
      call MPI_Startall(2, requests, ierr); OK
      call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, ierr); OK
      TRUE(all(in(2:6:2) == round * 10 + other))
      TRUE(all(in(1:6:2) == 0))
    end do
    call MPI_Request_free(requests(1), ierr); OK
    call MPI_Request_free(requests(2), ierr); OK
  end subroutine

  subroutine collectives()
    integer ASYNCHRONOUS_ATTRIBUTE :: a(3, 4), b(3, 4), c(5, 2), all_of(2, 8)
    type(MPI_Request) :: request
    integer :: i
    a = reshape([(100 * me + i, i = 1, 12)], [3, 4])
    call MPI_Bcast(a(2, :), 4, MPI_INTEGER, 1, MPI_COMM_WORLD, ierr); OK
    TRUE(all(a(2, :) == [2, 5, 8, 11] + 100))
    TRUE(all(a(1, :) == [1, 4, 7, 10] + 100 * me))
    call MPI_Ibcast(a(2, ::2), 2, MPI_INTEGER, 0, MPI_COMM_WORLD, request, ierr); OK
    call MPI_Wait(request, MPI_STATUS_IGNORE, ierr); OK
    TRUE(all(a(2, :) == [102, 105, 108, 111]))
    if (.not. known_fault('gathers-sections')) then
      all_of = 0
      call MPI_Allgather(a(3, :), 4, MPI_INTEGER, all_of(1, :), 4, MPI_INTEGER, MPI_COMM_WORLD, ierr); OK
      TRUE(all(all_of(1, :) == [3, 6, 9, 12, 103, 106, 109, 112]))
      TRUE(all(all_of(2, :) == 0))
      all_of = 0
      call MPI_Iallgather(a(3, :), 4, MPI_INTEGER, all_of(2, :), 4, MPI_INTEGER, MPI_COMM_WORLD, request, ierr); OK
      call MPI_Wait(request, MPI_STATUS_IGNORE, ierr); OK
      TRUE(all(all_of(2, :) == [3, 6, 9, 12, 103, 106, 109, 112]))
      TRUE(all(all_of(1, :) == 0))
      call MPI_Alltoall(all_of(2, ::2), 2, MPI_INTEGER, b(1, :), 2, MPI_INTEGER, MPI_COMM_WORLD, ierr); OK
      TRUE(all(b(1, :) == merge([3, 9, 3, 9], [103, 109, 103, 109], me == 0)))
      ! Each process's part is a column of two rows.
      c = 0
      call MPI_Iallgather(a(1:2, 1), 2, MPI_INTEGER, c(2:3, 1:2), 2, MPI_INTEGER, MPI_COMM_WORLD, request, ierr); OK
      call MPI_Wait(request, MPI_STATUS_IGNORE, ierr); OK
      TRUE(all(c == reshape([0, 1, 102, 0, 0, 0, 101, 102, 0, 0], [5, 2])))
    end if
    if (known_fault('reduces-sections')) return
    b = 0
    call MPI_Allreduce(a(1, :), b(3, :), 4, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr); OK
    TRUE(all(b(3, :) == [102, 108, 114, 120]))
    IS(count(b == 0), 8)
  end subroutine

  ! A section that no datatype describes and nobody may copy is refused, and nothing is started. The error belongs to the
  ! communicator of the call: others would end the program.
  subroutine refused()
    integer ASYNCHRONOUS_ATTRIBUTE :: a(2, 4), b(4), c(5, 2)
    type(MPI_Request) :: request
    type(MPI_Comm) :: comm
    a = me
    b = 0
    c = 0
    call MPI_Comm_dup(MPI_COMM_SELF, comm, ierr); OK
    call MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN, ierr); OK
    call MPI_Iallreduce(a(1, :), b, 4, MPI_INTEGER, MPI_SUM, comm, request, ierr)
    FAILS(MPI_ERR_BUFFER)
    call MPI_Iallgather(b, 2, MPI_INTEGER, c(2:4, :), 2, MPI_INTEGER, comm, request, ierr)
    FAILS(MPI_ERR_BUFFER)
    TRUE(all(b == 0) .and. all(c == 0))
    ! More than the section has, of one element that the datatype fits, and of one that it does not.
    if (.not. known_fault('unfit-sections')) then
      call MPI_Send(a(1, :), 5, MPI_INTEGER, MPI_PROC_NULL, 0, comm, ierr)
      FAILS(MPI_ERR_BUFFER)
      call MPI_Recv(a(1, :), 3, MPI_2INTEGER, MPI_PROC_NULL, 0, comm, MPI_STATUS_IGNORE, ierr)
      FAILS(MPI_ERR_BUFFER)
    end if
    if (.not. known_fault('counts-of-sections')) then
      call MPI_Send(a(1, :), -1, MPI_INTEGER, MPI_PROC_NULL, 0, comm, ierr)
      FAILS(MPI_ERR_COUNT)
      call MPI_Send(a(1, :), 4, MPI_DATATYPE_NULL, MPI_PROC_NULL, 0, comm, ierr)
      FAILS(MPI_ERR_TYPE)
    end if
    call MPI_Comm_free(comm, ierr); OK
  end subroutine

  ! A datatype that is not freed would be missed sooner or later: memory does not grow.
  subroutine many()
    integer ASYNCHRONOUS_ATTRIBUTE :: a(2, 50)
    type(MPI_Request) :: requests(2)
    integer :: i
    integer :: before
    do i = 1, 12000
      a(1, :) = i
      call MPI_Irecv(a(2, ::2), 25, MPI_INTEGER, me, 1, MPI_COMM_WORLD, requests(1), ierr)
      call MPI_Isend(a(1, ::2), 25, MPI_INTEGER, me, 1, MPI_COMM_WORLD, requests(2), ierr)
      call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, ierr)
      if (i == 2000) before = resident()
    end do
    IS(a(2, 1), 12000)
    TRUE(resident() - before < 4000)
  end subroutine

  ! Kilobytes of this process in memory.
  integer function resident()
    character(len=80) :: line
    integer :: unit, status
    resident = 0
    open(newunit=unit, file='/proc/self/status', action='read')
    do
      read(unit, '(a)', iostat=status) line
      if (status /= 0) exit
      if (line(1:6) == 'VmRSS:') read(line(7:), *) resident
    end do
    close(unit)
  end function

  subroutine one_sided()
    integer ASYNCHRONOUS_ATTRIBUTE, save, target :: memory(8)
    integer ASYNCHRONOUS_ATTRIBUTE :: a(2, 4)
    type(MPI_Win) :: win
    integer(kind=MPI_ADDRESS_KIND) :: size, at
    memory = 0
    size = 32
    at = 0
    a(1, :) = [1, 2, 3, 4] + 10 * me
    a(2, :) = 0
    call MPI_Win_create(memory, size, 4, MPI_INFO_NULL, MPI_COMM_WORLD, win, ierr); OK
    call MPI_Win_fence(0, win, ierr); OK
    call MPI_Put(a(1, :), 4, MPI_INTEGER, other, at, 4, MPI_INTEGER, win, ierr); OK
    call MPI_Win_fence(0, win, ierr); OK
    TRUE(all(memory(1:4) == [1, 2, 3, 4] + 10 * other))
    call MPI_Get(a(2, :), 4, MPI_INTEGER, other, at, 4, MPI_INTEGER, win, ierr); OK
    call MPI_Win_fence(0, win, ierr); OK
    TRUE(all(a(2, :) == [1, 2, 3, 4] + 10 * me))
    call MPI_Win_free(win, ierr); OK
  end subroutine
#endif
end program
