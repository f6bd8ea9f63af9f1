! SPDX-License-Identifier: BSD-3-Clause
!
! Point-to-point communication: every mode of sending, statuses, matching probes, completion of
! several requests with indices from 1, persistent requests, cancelling, MPI_Sendrecv.
! ranks: 2
#include "check.h"
#define AROUND(buffer, count, type) call MPI_Sendrecv_replace(buffer, count, type, other, 20, other, 20, MPI_COMM_WORLD, got, ierr); OK; call expect(got, other, 20, type, count)
program p2p
  use checks
  USE_MPI
  implicit none
  MPIF_H
  integer :: ierr, other
  logical :: any_error

  call check_begin()
  any_error = known_fault('empty-status-error')
  other = 1 - me
  call modes()
  call types()
  call wildcards_and_statuses()
  call probes()
  call messages()
  call completion_of_one()
  call completion_of_all()
  call completion_of_any()
  call completion_of_some()
  call null_requests()
  call persistent()
  call cancelled()
  call exchanges()
  call nobody()
  call truncation()
  call check_end('p2p')

contains

  ! An argument that says that it is not defined.
  subroutine poison(got)
    STATUS(got)
    FIELD(got, MPI_SOURCE) = 7701
    FIELD(got, MPI_TAG) = 7702
    FIELD(got, MPI_ERROR) = 7703
  end subroutine

  subroutine expect(got, source, tag, type, count)
    STATUS(got)
    integer, intent(in) :: source, tag, count
    HANDLE(MPI_Datatype), intent(in) :: type
    logical :: flag
    call found(got, source, tag, type, count)
    call MPI_Test_cancelled(got, flag, ierr); OK
    IS(flag, .false.)
  end subroutine

  ! The status of a probe: MPICH 4.0.2 does not set whether it was cancelled.
  subroutine found(got, source, tag, type, count)
    STATUS(got)
    integer, intent(in) :: source, tag, count
    HANDLE(MPI_Datatype), intent(in) :: type
    integer :: elements
    IS(FIELD(got, MPI_SOURCE), source)
    IS(FIELD(got, MPI_TAG), tag)
    call MPI_Get_count(got, type, elements, ierr); OK
    IS(elements, count)
  end subroutine

  ! Rank 0 sends in each mode, rank 1 answers.
  subroutine modes()
    integer :: mode, out(5), in(5), size, ready
    integer :: room(2000)
    STATUS(got)
    HANDLE(MPI_Request) :: request
#if INTERFACE == 2008
    block
      use, intrinsic :: iso_c_binding
      integer, allocatable, target :: space(:)
      type(c_ptr) :: detached
      allocate(space(500))
      call MPI_Buffer_attach(space, 2000, ierr); OK
      call MPI_Buffer_detach(detached, size, ierr); OK
      IS(size, 2000)
      TRUE(c_associated(detached, c_loc(space)))
    end block
#endif
    call MPI_Buffer_attach(room, 8000, ierr); OK
    do mode = 1, 8
      out = mode * 100 + me
      in = -1
      if (me == 0) then
        ! A ready send needs a receive that is posted: rank 1 says so.
        call MPI_Recv(ready, 1, MPI_INTEGER, 1, 50, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr); OK
        select case (mode)
        case (1); call MPI_Send(out, 5, MPI_INTEGER, 1, mode, MPI_COMM_WORLD, ierr); OK
        case (2); call MPI_Ssend(out, 5, MPI_INTEGER, 1, mode, MPI_COMM_WORLD, ierr); OK
        case (3); call MPI_Bsend(out, 5, MPI_INTEGER, 1, mode, MPI_COMM_WORLD, ierr); OK
        case (4); call MPI_Rsend(out, 5, MPI_INTEGER, 1, mode, MPI_COMM_WORLD, ierr); OK
        case (5); call MPI_Isend(out, 5, MPI_INTEGER, 1, mode, MPI_COMM_WORLD, request, ierr); OK
        case (6); call MPI_Issend(out, 5, MPI_INTEGER, 1, mode, MPI_COMM_WORLD, request, ierr); OK
        case (7); call MPI_Ibsend(out, 5, MPI_INTEGER, 1, mode, MPI_COMM_WORLD, request, ierr); OK
        case (8); call MPI_Irsend(out, 5, MPI_INTEGER, 1, mode, MPI_COMM_WORLD, request, ierr); OK
        end select
        if (mode > 4) then
          call MPI_Wait(request, MPI_STATUS_IGNORE, ierr); OK
          TRUE(request == MPI_REQUEST_NULL)
        end if
      else
        call MPI_Irecv(in, 5, MPI_INTEGER, 0, mode, MPI_COMM_WORLD, request, ierr); OK
        call MPI_Send(mode, 1, MPI_INTEGER, 0, 50, MPI_COMM_WORLD, ierr); OK
        call poison(got)
        call MPI_Wait(request, got, ierr); OK
        call expect(got, 0, mode, MPI_INTEGER, 5)
        if (.not. known_fault('wait-sets-error')) then; IS(FIELD(got, MPI_ERROR), 7703); end if
        TRUE(all(in == mode * 100))
        TRUE(request == MPI_REQUEST_NULL)
      end if
    end do
    size = -1
#if INTERFACE == 2008
    block
      use, intrinsic :: iso_c_binding
      type(c_ptr) :: detached
      call MPI_Buffer_detach(detached, size, ierr); OK
    end block
#else
    block
      integer(kind=MPI_ADDRESS_KIND) :: detached
      call MPI_Buffer_detach(detached, size, ierr); OK
    end block
#endif
    IS(size, 8000)
  end subroutine

  ! One value of every basic type goes around.
  subroutine types()
    integer(kind=1) :: i1(2)
    integer(kind=2) :: i2(2)
    integer(kind=8) :: i8(2)
    real :: r(2)
    real(kind=8) :: d(2)
    double precision :: pair(2)
    complex :: c(2)
    complex(kind=8) :: z(2)
    logical :: l(2)
    character(len=7) :: s
    integer :: j(2)
    STATUS(got)
    j = [me, 7]; AROUND(j, 2, MPI_INTEGER); IS(j(1), other); IS(j(2), 7)
    i1 = [int(me, 1), 5_1]; AROUND(i1, 2, MPI_INTEGER1); TRUE(i1(1) == other)
    i2 = [int(me, 2), 5_2]; AROUND(i2, 2, MPI_INTEGER2); TRUE(i2(1) == other)
    i8 = [int(me, 8), 5_8]; AROUND(i8, 2, MPI_INTEGER8); IS(i8(1), other)
    r = [real(me), 2.5]; AROUND(r, 2, MPI_REAL); TRUE(r(1) == other .and. r(2) == 2.5)
    r = [real(me), 2.5]; AROUND(r, 2, MPI_REAL4); TRUE(r(1) == other)
    d = [real(me, 8), 2.5d0]; AROUND(d, 2, MPI_REAL8); TRUE(d(1) == other .and. d(2) == 2.5)
    pair = [dble(me), 1d100]; AROUND(pair, 2, MPI_DOUBLE_PRECISION); TRUE(pair(1) == other)
    pair = [dble(me), 1d100]; AROUND(pair, 1, MPI_2DOUBLE_PRECISION); TRUE(pair(1) == other .and. pair(2) == 1d100)
    j = [me, 9]; AROUND(j, 1, MPI_2INTEGER); IS(j(1), other); IS(j(2), 9)
    r = [real(me), 9.]; AROUND(r, 1, MPI_2REAL); TRUE(r(1) == other)
    c = [cmplx(me, 3), (1., 2.)]; AROUND(c, 2, MPI_COMPLEX); TRUE(c(1) == cmplx(other, 3))
    c = [cmplx(me, 3), (1., 2.)]; AROUND(c, 2, MPI_COMPLEX8); TRUE(c(1) == cmplx(other, 3))
    z = [cmplx(me, 3, 8), (1d0, 2d0)]; AROUND(z, 2, MPI_DOUBLE_COMPLEX); TRUE(z(1) == cmplx(other, 3, 8))
    z = [cmplx(me, 3, 8), (1d0, 2d0)]; AROUND(z, 2, MPI_COMPLEX16); TRUE(z(1) == cmplx(other, 3, 8))
    l = [me == 0, .true.]; AROUND(l, 2, MPI_LOGICAL); TRUE(l(1) .eqv. me == 1)
    j = [me, 7]; AROUND(j, 8, MPI_BYTE); IS(j(1), other)
    s = merge('seven00', 'eleven1', me == 0)
    if (me == 0) then
      call MPI_Send(s, 7, MPI_CHARACTER, 1, 3, MPI_COMM_WORLD, ierr); OK
      call MPI_Recv(s, 7, MPI_CHARACTER, 1, 4, MPI_COMM_WORLD, got, ierr); OK
      call expect(got, 1, 4, MPI_CHARACTER, 4)
      IS(s, 'backn00')
    else
      call MPI_Recv(s, 7, MPI_CHARACTER, 0, 3, MPI_COMM_WORLD, got, ierr); OK
      call expect(got, 0, 3, MPI_CHARACTER, 7)
      IS(s, 'seven00')
      call MPI_Send('back', 4, MPI_CHARACTER, 0, 4, MPI_COMM_WORLD, ierr); OK
    end if
  end subroutine

  subroutine wildcards_and_statuses()
    integer :: value(4)
    STATUS(got)
    HANDLE(MPI_Datatype) :: three
    value = me
    call MPI_Type_contiguous(3, MPI_INTEGER, three, ierr); OK
    call MPI_Type_commit(three, ierr); OK
    if (me == 0) then
      call MPI_Send(value, 2, MPI_INTEGER, 1, 71, MPI_COMM_WORLD, ierr); OK
      call MPI_Recv(value, 4, MPI_INTEGER, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr); OK
      IS(value(1), 1)
    else
      call poison(got)
      call MPI_Recv(value, 4, MPI_INTEGER, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, got, ierr); OK
      call expect(got, 0, 71, MPI_INTEGER, 2)
      IS(FIELD(got, MPI_ERROR), 7703)
      ! Two integers are no whole number of three.
      block
        integer :: count
        call MPI_Get_count(got, three, count, ierr); OK
        IS(count, MPI_UNDEFINED)
        call MPI_Get_elements(got, three, count, ierr); OK
        IS(count, 2)
      end block
      block
        integer(kind=MPI_COUNT_KIND) :: count
        call MPI_Get_elements_x(got, three, count, ierr); OK
        IS(count, 2)
      end block
      value = me
      call MPI_Send(value, 4, MPI_INTEGER, 0, 72, MPI_COMM_WORLD, ierr); OK
    end if
    call MPI_Type_free(three, ierr); OK
    TRUE(three == MPI_DATATYPE_NULL)
  end subroutine

  subroutine probes()
    integer :: value(3), tries
    logical :: flag
    STATUS(got)
    if (me == 0) then
      value = [1, 2, 3]
      call MPI_Send(value, 3, MPI_INTEGER, 1, 5, MPI_COMM_WORLD, ierr); OK
      call MPI_Send(value, 1, MPI_INTEGER, 1, 6, MPI_COMM_WORLD, ierr); OK
    else
      call MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, got, ierr); OK
      call found(got, 0, 5, MPI_INTEGER, 3)
      call MPI_Iprobe(0, 99, MPI_COMM_WORLD, flag, MPI_STATUS_IGNORE, ierr); OK
      IS(flag, .false.)
      flag = .false.
      tries = 0
      do while (.not. flag)
        call MPI_Iprobe(0, 6, MPI_COMM_WORLD, flag, got, ierr)
        tries = tries + 1
      end do
      IS(flag, .true.)
      call found(got, 0, 6, MPI_INTEGER, 1)
      call MPI_Recv(value, 3, MPI_INTEGER, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr); OK
      call MPI_Recv(value(1), 1, MPI_INTEGER, 0, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr); OK
      TRUE(all(value == [1, 2, 3]))
    end if
  end subroutine

  subroutine messages()
    integer :: value(3)
    logical :: flag
    HANDLE(MPI_Message) :: message
    HANDLE(MPI_Request) :: request
    STATUS(got)
    if (me == 0) then
      value = [1, 2, 3]
      call MPI_Send(value, 3, MPI_INTEGER, 1, 5, MPI_COMM_WORLD, ierr); OK
      call MPI_Send(value, 2, MPI_INTEGER, 1, 6, MPI_COMM_WORLD, ierr); OK
    else
      call MPI_Mprobe(0, MPI_ANY_TAG, MPI_COMM_WORLD, message, got, ierr); OK
      call found(got, 0, 5, MPI_INTEGER, 3)
      TRUE(message /= MPI_MESSAGE_NULL)
      value = 0
      call MPI_Mrecv(value, 3, MPI_INTEGER, message, got, ierr); OK
      TRUE(message == MPI_MESSAGE_NULL)
      TRUE(all(value == [1, 2, 3]))
      call expect(got, 0, 5, MPI_INTEGER, 3)
      flag = .false.
      do while (.not. flag)
        call MPI_Improbe(0, 6, MPI_COMM_WORLD, flag, message, got, ierr)
      end do
      IS(flag, .true.)
      value = 0
      call MPI_Imrecv(value, 2, MPI_INTEGER, message, request, ierr); OK
      TRUE(message == MPI_MESSAGE_NULL)
      call MPI_Wait(request, got, ierr); OK
      call expect(got, 0, 6, MPI_INTEGER, 2)
      TRUE(all(value == [1, 2, 0]))
    end if
    call MPI_Mprobe(MPI_PROC_NULL, 3, MPI_COMM_WORLD, message, got, ierr); OK
    TRUE(message == MPI_MESSAGE_NO_PROC)
    IS(FIELD(got, MPI_SOURCE), MPI_PROC_NULL)
    call MPI_Mrecv(value, 3, MPI_INTEGER, message, got, ierr); OK
    TRUE(message == MPI_MESSAGE_NULL)
  end subroutine

  subroutine completion_of_one()
    integer :: value, mine, tries
    logical :: flag
    HANDLE(MPI_Request) :: request, sending
    STATUS(got)
    mine = me + 10
    call MPI_Irecv(value, 1, MPI_INTEGER, other, 8, MPI_COMM_WORLD, request, ierr); OK
    call MPI_Test(request, flag, got, ierr); OK
    IS(flag, .false.)
    call MPI_Barrier(MPI_COMM_WORLD, ierr); OK
    call MPI_Isend(mine, 1, MPI_INTEGER, other, 8, MPI_COMM_WORLD, sending, ierr); OK
    flag = .false.
    tries = 0
    do while (.not. flag)
      call MPI_Request_get_status(request, flag, got, ierr)
      tries = tries + 1
    end do
    IS(flag, .true.)
    call expect(got, other, 8, MPI_INTEGER, 1)
    TRUE(request /= MPI_REQUEST_NULL)
    call MPI_Test(request, flag, got, ierr); OK
    IS(flag, .true.)
    call expect(got, other, 8, MPI_INTEGER, 1)
    TRUE(request == MPI_REQUEST_NULL)
    IS(value, other + 10)
    call MPI_Wait(sending, MPI_STATUS_IGNORE, ierr); OK
  end subroutine

  ! Four receives and four sends of lengths 1 to 4.
  subroutine start_four(in, out, requests)
    integer :: in(4, 4), out(4, 4), i
    HANDLE(MPI_Request) :: requests(8)
    in = -1
    out = me + 1
    do i = 1, 4
      call MPI_Irecv(in(1, i), 4, MPI_INTEGER, other, 30 + i, MPI_COMM_WORLD, requests(i), ierr); OK
    end do
    do i = 1, 4
      call MPI_Isend(out(1, i), i, MPI_INTEGER, other, 30 + i, MPI_COMM_WORLD, requests(4 + i), ierr); OK
    end do
  end subroutine

  subroutine completion_of_all()
    integer :: in(4, 4), out(4, 4), i
    logical :: flag
    HANDLE(MPI_Request) :: requests(8)
    STATUSES(got, 8)
    call start_four(in, out, requests)
    call MPI_Waitall(8, requests, got, ierr); OK
    do i = 1, 4
      call expect(STATUS_AT(got, i), other, 30 + i, MPI_INTEGER, i)
      IS(count(in(:, i) == other + 1), i)
    end do
    do i = 1, 8
      TRUE(requests(i) == MPI_REQUEST_NULL)
    end do
    call start_four(in, out, requests)
    call MPI_Waitall(8, requests, MPI_STATUSES_IGNORE, ierr); OK
    IS(count(in == other + 1), 10)
    call start_four(in, out, requests)
    flag = .false.
    do while (.not. flag)
      call MPI_Testall(8, requests, flag, got, ierr)
    end do
    IS(flag, .true.)
    call expect(STATUS_AT(got, 4), other, 34, MPI_INTEGER, 4)
    TRUE(requests(8) == MPI_REQUEST_NULL)
    IS(count(in == other + 1), 10)
    call start_four(in, out, requests)
    flag = .false.
    do while (.not. flag)
      call MPI_Testall(8, requests, flag, MPI_STATUSES_IGNORE, ierr)
    end do
    IS(count(in == other + 1), 10)
  end subroutine

  subroutine completion_of_any()
    integer :: in(4, 4), out(4, 4), i, index, seen(8)
    logical :: flag
    HANDLE(MPI_Request) :: requests(8)
    STATUS(got)
    call start_four(in, out, requests)
    seen = 0
    do i = 1, 8
      call MPI_Waitany(8, requests, index, got, ierr); OK
      if (known_fault('index-from-0')) index = index + 1
      TRUE(index >= 1 .and. index <= 8)
      seen(index) = seen(index) + 1
      TRUE(requests(index) == MPI_REQUEST_NULL)
      if (index <= 4) call expect(got, other, 30 + index, MPI_INTEGER, index)
    end do
    TRUE(all(seen == 1))
    call MPI_Waitany(8, requests, index, got, ierr); OK
    if (.not. known_fault('index-undefined')) then; IS(index, MPI_UNDEFINED); end if
    EMPTY(got)
    call start_four(in, out, requests)
    seen = 0
    do while (sum(seen) < 8)
      call MPI_Testany(8, requests, index, flag, got, ierr)
      if (.not. flag) cycle
      if (known_fault('index-from-0')) index = index + 1
      seen(index) = seen(index) + 1
      if (index <= 4) call expect(got, other, 30 + index, MPI_INTEGER, index)
    end do
    TRUE(all(seen == 1))
    call MPI_Testany(8, requests, index, flag, MPI_STATUS_IGNORE, ierr); OK
    IS(flag, .true.)
    if (.not. known_fault('index-undefined')) then; IS(index, MPI_UNDEFINED); end if
  end subroutine

  subroutine completion_of_some()
    integer :: in(4, 4), out(4, 4), i, finished, indices(8), seen(8)
    HANDLE(MPI_Request) :: requests(8)
    STATUSES(got, 8)
    call start_four(in, out, requests)
    seen = 0
    do while (sum(seen) < 8)
      call MPI_Waitsome(8, requests, finished, indices, got, ierr)
      TRUE(finished >= 1)
      if (known_fault('index-from-0')) indices(1:finished) = indices(1:finished) + 1
      do i = 1, finished
        seen(indices(i)) = seen(indices(i)) + 1
        if (indices(i) <= 4) call expect(STATUS_AT(got, i), other, 30 + indices(i), MPI_INTEGER, indices(i))
      end do
    end do
    TRUE(all(seen == 1))
    call MPI_Waitsome(8, requests, finished, indices, got, ierr); OK
    IS(finished, MPI_UNDEFINED)
    call start_four(in, out, requests)
    seen = 0
    do while (sum(seen) < 8)
      call MPI_Testsome(8, requests, finished, indices, got, ierr)
      if (known_fault('index-from-0')) indices(1:finished) = indices(1:finished) + 1
      do i = 1, finished
        seen(indices(i)) = seen(indices(i)) + 1
        if (indices(i) <= 4) call expect(STATUS_AT(got, i), other, 30 + indices(i), MPI_INTEGER, indices(i))
      end do
    end do
    TRUE(all(seen == 1))
    call start_four(in, out, requests)
    seen = 0
    do while (sum(seen) < 8)
      call MPI_Waitsome(8, requests, finished, indices, MPI_STATUSES_IGNORE, ierr)
      if (known_fault('index-from-0')) indices(1:finished) = indices(1:finished) + 1
      do i = 1, finished
        seen(indices(i)) = seen(indices(i)) + 1
      end do
    end do
    TRUE(all(seen == 1))
    call MPI_Testsome(8, requests, finished, indices, MPI_STATUSES_IGNORE, ierr); OK
    IS(finished, MPI_UNDEFINED)
  end subroutine

  subroutine null_requests()
    logical :: flag
    integer :: index
    HANDLE(MPI_Request) :: request, two(2)
    STATUS(got)
    STATUSES(both, 2)
    request = MPI_REQUEST_NULL
    two = MPI_REQUEST_NULL
    call poison(got)
    call MPI_Wait(request, got, ierr); OK
    EMPTY(got)
    call poison(got)
    call MPI_Test(request, flag, got, ierr); OK
    IS(flag, .true.)
    EMPTY(got)
    call poison(got)
    call MPI_Request_get_status(request, flag, got, ierr); OK
    IS(flag, .true.)
    EMPTY(got)
    call poison(got)
    call MPI_Waitany(2, two, index, got, ierr); OK
    EMPTY(got)
    call poison(got)
    call MPI_Testany(2, two, index, flag, got, ierr); OK
    IS(flag, .true.)
    EMPTY(got)
    call poison(STATUS_AT(both, 2))
    call MPI_Waitall(2, two, both, ierr); OK
    EMPTY(STATUS_AT(both, 2))
    call poison(STATUS_AT(both, 2))
    call MPI_Testall(2, two, flag, both, ierr); OK
    IS(flag, .true.)
    EMPTY(STATUS_AT(both, 2))
  end subroutine

  subroutine persistent()
    integer :: round, in(2), out(2), i
    logical :: flag
    HANDLE(MPI_Request) :: requests(2)
    STATUSES(got, 2)
    integer :: room(1000)
    call MPI_Buffer_attach(room, 4000, ierr); OK
    do i = 1, 4
      call MPI_Recv_init(in, 2, MPI_INTEGER, other, 40, MPI_COMM_WORLD, requests(1), ierr); OK
      select case (i)
      case (1); call MPI_Send_init(out, 2, MPI_INTEGER, other, 40, MPI_COMM_WORLD, requests(2), ierr); OK
      case (2); call MPI_Ssend_init(out, 2, MPI_INTEGER, other, 40, MPI_COMM_WORLD, requests(2), ierr); OK
      case (3); call MPI_Bsend_init(out, 2, MPI_INTEGER, other, 40, MPI_COMM_WORLD, requests(2), ierr); OK
      case (4); call MPI_Rsend_init(out, 2, MPI_INTEGER, other, 40, MPI_COMM_WORLD, requests(2), ierr); OK
      end select
      do round = 1, 3
        out = [round, me]
        if (i == 4 .or. round == 1) then
          call MPI_Start(requests(1), ierr); OK
          call MPI_Barrier(MPI_COMM_WORLD, ierr); OK
          call MPI_Start(requests(2), ierr); OK
        else
          call MPI_Startall(2, requests, ierr); OK
        end if
        call MPI_Waitall(2, requests, got, ierr); OK
        call expect(STATUS_AT(got, 1), other, 40, MPI_INTEGER, 2)
        TRUE(requests(1) /= MPI_REQUEST_NULL)
        TRUE(in(1) == round .and. in(2) == other)
      end do
      ! An inactive request is complete, and its status empty.
      call MPI_Test(requests(1), flag, STATUS_AT(got, 1), ierr); OK
      IS(flag, .true.)
      EMPTY(STATUS_AT(got, 1))
      call MPI_Request_free(requests(1), ierr); OK
      call MPI_Request_free(requests(2), ierr); OK
      TRUE(requests(1) == MPI_REQUEST_NULL)
    end do
    block
#if INTERFACE == 2008
      use, intrinsic :: iso_c_binding
      type(c_ptr) :: address
#else
      integer(kind=MPI_ADDRESS_KIND) :: address
#endif
      call MPI_Buffer_detach(address, i, ierr); OK
    end block
    IS(i, 4000)
  end subroutine

  subroutine cancelled()
    integer :: value
    logical :: flag
    HANDLE(MPI_Request) :: request
    STATUS(got)
    call MPI_Irecv(value, 1, MPI_INTEGER, other, 99, MPI_COMM_WORLD, request, ierr); OK
    call MPI_Cancel(request, ierr); OK
    call MPI_Wait(request, got, ierr); OK
    call MPI_Test_cancelled(got, flag, ierr); OK
    IS(flag, .true.)
  end subroutine

  subroutine exchanges()
    integer :: out(3), in(4)
    STATUS(got)
    out = me
    in = -1
    call MPI_Sendrecv(out, 3, MPI_INTEGER, other, 60 + me, in, 4, MPI_INTEGER, other, 60 + other, &
      MPI_COMM_WORLD, got, ierr); OK
    call expect(got, other, 60 + other, MPI_INTEGER, 3)
    TRUE(all(in == [other, other, other, -1]))
    call MPI_Sendrecv(out, 3, MPI_INTEGER, other, 60, in, 4, MPI_INTEGER, MPI_ANY_SOURCE, MPI_ANY_TAG, &
      MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr); OK
    call MPI_Sendrecv_replace(out, 3, MPI_INTEGER, other, 60, other, 60, MPI_COMM_WORLD, got, ierr); OK
    call expect(got, other, 60, MPI_INTEGER, 3)
    TRUE(all(out == other))
  end subroutine

  subroutine nobody()
    integer :: value
    STATUS(got)
    HANDLE(MPI_Request) :: request
    value = 5
    call MPI_Send(value, 1, MPI_INTEGER, MPI_PROC_NULL, 0, MPI_COMM_WORLD, ierr); OK
    call poison(got)
    call MPI_Recv(value, 1, MPI_INTEGER, MPI_PROC_NULL, 0, MPI_COMM_WORLD, got, ierr); OK
    call expect(got, MPI_PROC_NULL, MPI_ANY_TAG, MPI_INTEGER, 0)
    IS(value, 5)
    call MPI_Probe(MPI_PROC_NULL, 0, MPI_COMM_WORLD, got, ierr); OK
    call found(got, MPI_PROC_NULL, MPI_ANY_TAG, MPI_INTEGER, 0)
    call MPI_Isend(value, 1, MPI_INTEGER, MPI_PROC_NULL, 0, MPI_COMM_WORLD, request, ierr); OK
    call MPI_Wait(request, got, ierr); OK
  end subroutine

  ! A message longer than the buffer: the error is returned, by MPI_Recv and in the status.
  subroutine truncation()
    integer :: value(2)
    HANDLE(MPI_Request) :: requests(2)
    STATUSES(got, 2)
    value = 1
    call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN, ierr); OK
    if (me == 0) then
      call MPI_Send(value, 2, MPI_INTEGER, 1, 1, MPI_COMM_WORLD, ierr); OK
      call MPI_Send(value, 2, MPI_INTEGER, 1, 1, MPI_COMM_WORLD, ierr); OK
      call MPI_Send(value, 1, MPI_INTEGER, 1, 2, MPI_COMM_WORLD, ierr); OK
      call MPI_Send(value, 2, MPI_INTEGER, 1, 3, MPI_COMM_WORLD, ierr); OK
      call MPI_Send(value, 2, MPI_INTEGER, 1, 3, MPI_COMM_WORLD, ierr); OK
    else
      call MPI_Recv(value, 1, MPI_INTEGER, 0, 1, MPI_COMM_WORLD, STATUS_AT(got, 1), ierr)
      FAILS(MPI_ERR_TRUNCATE)
      call MPI_Irecv(value, 1, MPI_INTEGER, 0, 1, MPI_COMM_WORLD, requests(1), ierr); OK
      call MPI_Irecv(value(2), 1, MPI_INTEGER, 0, 2, MPI_COMM_WORLD, requests(2), ierr); OK
      call MPI_Waitall(2, requests, got, ierr)
      FAILS(MPI_ERR_IN_STATUS)
      if (.not. known_fault('errors-in-statuses')) then
        ierr = FIELD_AT(got, 1, MPI_ERROR)
        FAILS(MPI_ERR_TRUNCATE)
        ierr = FIELD_AT(got, 2, MPI_ERROR)
        TRUE(ierr == MPI_SUCCESS .or. ierr == MPI_ERR_PENDING)
      end if
      call failing_one_of_two(.true.)
      call failing_one_of_two(.false.)
    end if
  end subroutine

  ! The index of an operation that failed counts from 1 as well; what fails at once has none.
  subroutine failing_one_of_two(wait)
    logical, intent(in) :: wait
    integer :: value, index
    logical :: flag
    HANDLE(MPI_Request) :: requests(2)
    requests(1) = MPI_REQUEST_NULL
    call MPI_Irecv(value, 1, MPI_INTEGER, 0, 3, MPI_COMM_WORLD, requests(2), ierr); OK
    index = -77
    call MPI_Waitany(-1, requests, index, MPI_STATUS_IGNORE, ierr)
    if (.not. known_fault('index-of-failure')) then; IS(index, -77); end if
    if (wait) then
      call MPI_Waitany(2, requests, index, MPI_STATUS_IGNORE, ierr)
    else
      flag = .false.
      do while (.not. flag)
        call MPI_Testany(2, requests, index, flag, MPI_STATUS_IGNORE, ierr)
        if (ierr /= MPI_SUCCESS) exit
      end do
    end if
    FAILS(MPI_ERR_TRUNCATE)
    if (known_fault('index-of-failure')) return
    IS(index, 2)
    TRUE(requests(2) == MPI_REQUEST_NULL)
  end subroutine
end program
