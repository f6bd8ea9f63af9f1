! SPDX-License-Identifier: BSD-3-Clause
!
! Collective operations: blocking, nonblocking and persistent, with vectors of counts and of types,
! MPI_IN_PLACE, predefined and user-defined reductions.
! ranks: 3
#include "check.h"

module reductions
  implicit none
  integer :: calls = 0
  integer :: largest = 0
  logical :: type_known = .true.
contains

#if INTERFACE == 2008
#define REDUCTION_ARGUMENTS type(c_ptr), value :: invec, inoutvec; integer :: length; type(MPI_Datatype) :: datatype; integer, pointer :: a(:), b(:)
#define REDUCTION_USES use mpi_f08; use, intrinsic :: iso_c_binding
#define REDUCTION_BEGIN(n) call c_f_pointer(invec, a, [n]); call c_f_pointer(inoutvec, b, [n])
#elif INTERFACE == 90
#define REDUCTION_ARGUMENTS integer :: length, datatype; integer, target :: invec(*), inoutvec(*); integer, pointer :: a(:), b(:)
#define REDUCTION_USES use mpi
#define REDUCTION_BEGIN(n) a => invec(1:n); b => inoutvec(1:n)
#else
#define REDUCTION_ARGUMENTS integer :: length, datatype; integer, target :: invec(*), inoutvec(*); integer, pointer :: a(:), b(:)
#define REDUCTION_USES
#define REDUCTION_BEGIN(n) a => invec(1:n); b => inoutvec(1:n)
#endif

  ! Sum, commutative.
  subroutine add(invec, inoutvec, length, datatype)
    REDUCTION_USES
    implicit none
    MPIF_H
    REDUCTION_ARGUMENTS
    REDUCTION_BEGIN(length)
    b = b + a
    calls = calls + 1
    largest = max(largest, length)
    type_known = type_known .and. datatype == MPI_INTEGER
  end subroutine

  ! Pairs (a, b) stand for the functions x -> a x + b; they are composed from left to right.
  subroutine compose(invec, inoutvec, length, datatype)
    REDUCTION_USES
    implicit none
    MPIF_H
    REDUCTION_ARGUMENTS
    integer :: i, ni, na, nd, combiner, ierr
    call MPI_Type_get_envelope(datatype, ni, na, nd, combiner, ierr)
    type_known = type_known .and. ierr == MPI_SUCCESS .and. combiner == MPI_COMBINER_CONTIGUOUS
    REDUCTION_BEGIN(2 * length)
    do i = 1, 2 * length, 2
      b(i + 1) = b(i) * a(i + 1) + b(i + 1)
      b(i) = b(i) * a(i)
    end do
    calls = calls + 1
  end subroutine
end module

program collectives
  use checks
  use reductions
  USE_MPI
  implicit none
  MPIF_H
  integer :: ierr, n
  HANDLE(MPI_Op) :: sum_op
  HANDLE(MPI_Op) :: compose_op
  HANDLE(MPI_Datatype) :: pair

  call check_begin()
  n = processes
  call MPI_Barrier(MPI_COMM_WORLD, ierr); OK
  call rooted()
  call rooted_in_place()
  call with_vectors()
  call to_all()
  call to_all_with_types()
  call predefined_reductions()
  call locations()
  call user_reductions()
  call scans()
  call reduce_scatters()
  call local_reduction()
  call nonblocking()
  call nonblocking_with_types()
  call nonblocking_user_reductions()
  call between_groups()
#if defined(MPICH) || defined(MPIABI)
  call persistent()
#endif
  call MPI_Op_free(sum_op, ierr); OK
  TRUE(sum_op == MPI_OP_NULL)
  call MPI_Op_free(compose_op, ierr); OK
  call MPI_Type_free(pair, ierr); OK
  call check_end('collectives')

contains

  subroutine rooted()
    integer :: value(2), all(2, 3), i
    character(len=5) :: word
    value = merge([4, 5], [0, 0], me == 1)
    call MPI_Bcast(value, 2, MPI_INTEGER, 1, MPI_COMM_WORLD, ierr); OK
    TRUE(all_equal(value, [4, 5]))
    word = merge('hello', '     ', me == 0)
    call MPI_Bcast(word, 5, MPI_CHARACTER, 0, MPI_COMM_WORLD, ierr); OK
    IS(word, 'hello')
    all = -1
    call MPI_Gather([me, me * me], 2, MPI_INTEGER, all, 2, MPI_INTEGER, 2, MPI_COMM_WORLD, ierr); OK
    do i = 1, n
      if (me == 2) then; IS(all(1, i), i - 1); IS(all(2, i), (i - 1) ** 2); end if
    end do
    if (me == 0) all = reshape([(i, i = 1, 6)], [2, 3])
    call MPI_Scatter(all, 2, MPI_INTEGER, value, 2, MPI_INTEGER, 0, MPI_COMM_WORLD, ierr); OK
    TRUE(all_equal(value, [2 * me + 1, 2 * me + 2]))
    call MPI_Allgather(me, 1, MPI_INTEGER, all, 1, MPI_INTEGER, MPI_COMM_WORLD, ierr); OK
    TRUE(all_equal([all(1, 1), all(2, 1), all(1, 2)], [0, 1, 2]))
  end subroutine

  logical function all_equal(got, want)
    integer, intent(in) :: got(:), want(:)
    all_equal = size(got) == size(want) .and. all(got == want)
  end function

  subroutine rooted_in_place()
    integer :: all(3), mine, i
    all = -1
    all(me + 1) = me
    mine = me
    if (me == 0) then
      call MPI_Gather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, 1, MPI_INTEGER, 0, MPI_COMM_WORLD, ierr); OK
      TRUE(all_equal(all, [0, 1, 2]))
    else
      call MPI_Gather(mine, 1, MPI_INTEGER, all, 1, MPI_INTEGER, 0, MPI_COMM_WORLD, ierr); OK
    end if
    all = [(i * 10, i = 0, 2)]
    if (me == 0) then
      call MPI_Scatter(all, 1, MPI_INTEGER, MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, 0, MPI_COMM_WORLD, ierr); OK
    else
      call MPI_Scatter(all, 1, MPI_INTEGER, mine, 1, MPI_INTEGER, 0, MPI_COMM_WORLD, ierr); OK
      IS(mine, me * 10)
    end if
    all = -1
    all(me + 1) = me
    call MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, 1, MPI_INTEGER, MPI_COMM_WORLD, ierr); OK
    TRUE(all_equal(all, [0, 1, 2]))
    all = me
    call MPI_Allreduce(MPI_IN_PLACE, all, 3, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr); OK
    TRUE(all_equal(all, [3, 3, 3]))
    all = me
    if (me == 1) then
      call MPI_Reduce(MPI_IN_PLACE, all, 3, MPI_INTEGER, MPI_MAX, 1, MPI_COMM_WORLD, ierr); OK
      TRUE(all_equal(all, [2, 2, 2]))
    else
      call MPI_Reduce(all, mine, 3, MPI_INTEGER, MPI_MAX, 1, MPI_COMM_WORLD, ierr); OK
    end if
  end subroutine

  ! Rank i contributes i + 1 elements of value i.
  subroutine with_vectors()
    integer :: counts(3), displacements(3), mine(3), all(8), i
    counts = [1, 2, 3]
    displacements = [0, 2, 5]
    mine = me
    all = -1
    call MPI_Gatherv(mine, me + 1, MPI_INTEGER, all, counts, displacements, MPI_INTEGER, 0, MPI_COMM_WORLD, ierr); OK
    if (me == 0) then; TRUE(all_equal(all, [0, -1, 1, 1, -1, 2, 2, 2])); end if
    all = -1
    call MPI_Allgatherv(mine, me + 1, MPI_INTEGER, all, counts, displacements, MPI_INTEGER, MPI_COMM_WORLD, ierr); OK
    TRUE(all_equal(all, [0, -1, 1, 1, -1, 2, 2, 2]))
    mine = -1
    call MPI_Scatterv(all, counts, displacements, MPI_INTEGER, mine, me + 1, MPI_INTEGER, 2, MPI_COMM_WORLD, ierr); OK
    TRUE(all_equal(mine, [(merge(me, -1, i <= me), i = 0, 2)]))
    mine = me
    call MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, counts, displacements, MPI_INTEGER, MPI_COMM_WORLD, ierr); OK
    TRUE(all_equal(all, [0, -1, 1, 1, -1, 2, 2, 2]))
  end subroutine

  subroutine to_all()
    integer :: out(3), in(3), counts(3), displacements(3)
    counts = 1
    displacements = [2, 1, 0]
    out = [10, 20, 30] + me
    call MPI_Alltoall(out, 1, MPI_INTEGER, in, 1, MPI_INTEGER, MPI_COMM_WORLD, ierr); OK
    TRUE(all_equal(in, [0, 1, 2] + 10 * (me + 1)))
    call MPI_Alltoallv(out, counts, displacements, MPI_INTEGER, in, counts, displacements, MPI_INTEGER, &
      MPI_COMM_WORLD, ierr); OK
    TRUE(all_equal(in, [2, 1, 0] + 10 * (3 - me)))
    call MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, out, 1, MPI_INTEGER, MPI_COMM_WORLD, ierr); OK
    TRUE(all_equal(out, [0, 1, 2] + 10 * (me + 1)))
  end subroutine

  subroutine to_all_with_types()
    integer :: out(3), in(3), counts(3), displacements(3)
    HANDLE(MPI_Datatype) :: types(3)
    counts = 1
    displacements = [0, 4, 8]
    types = MPI_INTEGER
    out = [10, 20, 30] + me
    in = -1
    call MPI_Alltoallw(out, counts, displacements, types, in, counts, displacements, types, MPI_COMM_WORLD, ierr); OK
    TRUE(all_equal(in, [0, 1, 2] + 10 * (me + 1)))
    in = out
    ! Nobody reads the arguments of the sending side.
    call MPI_Alltoallw(MPI_IN_PLACE, counts, displacements, types, in, counts, displacements, types, MPI_COMM_WORLD, ierr); OK
    TRUE(all_equal(in, [0, 1, 2] + 10 * (me + 1)))
  end subroutine

  subroutine predefined_reductions()
    integer :: i
    logical :: l
    real(kind=8) :: d
    complex(kind=8) :: z
    integer(kind=8) :: wide
    call MPI_Allreduce(me + 1, i, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr); OK; IS(i, 6)
    call MPI_Allreduce(me + 1, i, 1, MPI_INTEGER, MPI_PROD, MPI_COMM_WORLD, ierr); OK; IS(i, 6)
    call MPI_Allreduce(me, i, 1, MPI_INTEGER, MPI_MIN, MPI_COMM_WORLD, ierr); OK; IS(i, 0)
    call MPI_Allreduce(me, i, 1, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD, ierr); OK; IS(i, 2)
    call MPI_Allreduce(7 - me, i, 1, MPI_INTEGER, MPI_BAND, MPI_COMM_WORLD, ierr); OK; IS(i, 4)
    call MPI_Allreduce(me, i, 1, MPI_INTEGER, MPI_BOR, MPI_COMM_WORLD, ierr); OK; IS(i, 3)
    call MPI_Allreduce(7, i, 1, MPI_INTEGER, MPI_BXOR, MPI_COMM_WORLD, ierr); OK; IS(i, 7)
    call MPI_Allreduce(me == 1, l, 1, MPI_LOGICAL, MPI_LOR, MPI_COMM_WORLD, ierr); OK; IS(l, .true.)
    call MPI_Allreduce(me == 1, l, 1, MPI_LOGICAL, MPI_LAND, MPI_COMM_WORLD, ierr); OK; IS(l, .false.)
    call MPI_Allreduce(.true., l, 1, MPI_LOGICAL, MPI_LAND, MPI_COMM_WORLD, ierr); OK; IS(l, .true.)
    call MPI_Allreduce(me == 1, l, 1, MPI_LOGICAL, MPI_LXOR, MPI_COMM_WORLD, ierr); OK; IS(l, .true.)
    call MPI_Allreduce(me + 0.5d0, d, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, ierr); OK; TRUE(d == 4.5)
    call MPI_Allreduce(cmplx(me, 1, 8), z, 1, MPI_DOUBLE_COMPLEX, MPI_SUM, MPI_COMM_WORLD, ierr); OK; TRUE(z == (3, 3))
    call MPI_Allreduce(int(me, 8) * 10_8 ** 12, wide, 1, MPI_INTEGER8, MPI_SUM, MPI_COMM_WORLD, ierr); OK
    IS(wide, 3 * 10_8 ** 12)
    call MPI_Reduce(me, i, 1, MPI_INTEGER, MPI_SUM, 0, MPI_COMM_WORLD, ierr); OK
    if (me == 0) then; IS(i, 3); end if
  end subroutine

  subroutine locations()
    integer :: in(2), out(2)
    double precision :: a(2), b(2)
    real :: p(2), q(2)
    in = [mod(me + 1, 3), me]
    call MPI_Allreduce(in, out, 1, MPI_2INTEGER, MPI_MAXLOC, MPI_COMM_WORLD, ierr); OK
    TRUE(all_equal(out, [2, 1]))
    a = [dble(me), dble(10 - me)]
    call MPI_Allreduce(a, b, 1, MPI_2DOUBLE_PRECISION, MPI_MINLOC, MPI_COMM_WORLD, ierr); OK
    TRUE(b(1) == 0 .and. b(2) == 10)
    p = [real(me), 3.]
    call MPI_Allreduce(p, q, 1, MPI_2REAL, MPI_MAXLOC, MPI_COMM_WORLD, ierr); OK
    TRUE(q(1) == 2 .and. q(2) == 3)
  end subroutine

  subroutine user_reductions()
    integer :: in(4), out(4), i
    logical :: flag
    call MPI_Op_create(add, .true., sum_op, ierr); OK
    call MPI_Op_commutative(sum_op, flag, ierr); OK; IS(flag, .true.)
    call MPI_Op_create(compose, .false., compose_op, ierr); OK
    call MPI_Op_commutative(compose_op, flag, ierr); OK; IS(flag, .false.)
    call MPI_Op_commutative(MPI_SUM, flag, ierr); OK; IS(flag, .true.)
    call MPI_Type_contiguous(2, MPI_INTEGER, pair, ierr); OK
    call MPI_Type_commit(pair, ierr); OK
    in = [(me * i, i = 1, 4)]
    calls = 0
    call MPI_Allreduce(in, out, 4, MPI_INTEGER, sum_op, MPI_COMM_WORLD, ierr); OK
    TRUE(all_equal(out, [3, 6, 9, 12]))
    TRUE(type_known)
    TRUE(largest <= 4)
    out = 0
    call MPI_Reduce(in, out, 4, MPI_INTEGER, sum_op, 1, MPI_COMM_WORLD, ierr); OK
    if (me == 1) then; TRUE(all_equal(out, [3, 6, 9, 12])); end if
    ! x -> 2x, then x -> 3x + 1, then x -> 4x + 2.
    in(1:2) = [me + 2, me]
    call MPI_Allreduce(in, out, 1, pair, compose_op, MPI_COMM_WORLD, ierr); OK
    TRUE(all_equal(out(1:2), [24, 6]))
    TRUE(type_known)
  end subroutine

  subroutine scans()
    integer :: out
    integer :: in(2), pairs(2)
    out = -1
    call MPI_Scan(me + 1, out, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr); OK
    IS(out, (me + 1) * (me + 2) / 2)
    out = -1
    call MPI_Exscan(me + 1, out, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr); OK
    if (me > 0) then; IS(out, me * (me + 1) / 2); end if
    out = me
    call MPI_Scan(MPI_IN_PLACE, out, 1, MPI_INTEGER, sum_op, MPI_COMM_WORLD, ierr); OK
    IS(out, me * (me + 1) / 2)
    in = [me + 2, me]
    call MPI_Scan(in, pairs, 1, pair, compose_op, MPI_COMM_WORLD, ierr); OK
    if (me == 1) then; TRUE(all_equal(pairs, [6, 1])); end if
  end subroutine

  subroutine reduce_scatters()
    integer :: in(6), out(3), counts(3)
    in = me
    counts = [1, 2, 3]
    out = -1
    call MPI_Reduce_scatter(in, out, counts, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr); OK
    IS(count(out == 3), me + 1)
    out = -1
    call MPI_Reduce_scatter_block(in, out, 2, MPI_INTEGER, sum_op, MPI_COMM_WORLD, ierr); OK
    IS(count(out == 3), 2)
    call MPI_Reduce_scatter(MPI_IN_PLACE, in, counts, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr); OK
    IS(in(1), 3)
  end subroutine

  subroutine local_reduction()
    integer :: a(2), b(2)
    a = [1, 2]
    b = [10, 20]
    call MPI_Reduce_local(a, b, 2, MPI_INTEGER, MPI_SUM, ierr); OK
    TRUE(all_equal(b, [11, 22]))
    call MPI_Reduce_local(a, b, 2, MPI_INTEGER, sum_op, ierr); OK
    TRUE(all_equal(b, [12, 24]))
  end subroutine

  subroutine nonblocking()
    integer :: counts(3), displacements(3), i
    integer ASYNCHRONOUS_ATTRIBUTE :: value(2), all(3), everybody(3), mine, total, most(3), v(8), prefix, block(1), out(3)
    HANDLE(MPI_Request) :: requests(12)
    counts = 1
    displacements = [2, 1, 0]
    value = merge([4, 5], [0, 0], me == 1)
    all = -1; everybody = -1; v = -1; most = 7 * me
    mine = me; out = [5, 6, 7]
    call MPI_Ibarrier(MPI_COMM_WORLD, requests(1), ierr); OK
    call MPI_Ibcast(value, 2, MPI_INTEGER, 1, MPI_COMM_WORLD, requests(2), ierr); OK
    call MPI_Igather(mine, 1, MPI_INTEGER, all, 1, MPI_INTEGER, 0, MPI_COMM_WORLD, requests(3), ierr); OK
    call MPI_Iallgather(mine, 1, MPI_INTEGER, everybody, 1, MPI_INTEGER, MPI_COMM_WORLD, requests(4), ierr); OK
    call MPI_Iallreduce(mine, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, requests(5), ierr); OK
    call MPI_Iallreduce(MPI_IN_PLACE, most, 3, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD, requests(6), ierr); OK
    call MPI_Iallgatherv(mine, 1, MPI_INTEGER, v, counts, displacements, MPI_INTEGER, MPI_COMM_WORLD, requests(7), ierr); OK
    call MPI_Iscan(mine, prefix, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, requests(8), ierr); OK
    call MPI_Ireduce_scatter_block(out, block, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, requests(9), ierr); OK
    call MPI_Waitall(9, requests, MPI_STATUSES_IGNORE, ierr); OK
    TRUE(all_equal(value, [4, 5]))
    if (me == 0) then; TRUE(all_equal(all, [0, 1, 2])); end if
    TRUE(all_equal(everybody, [0, 1, 2]))
    IS(total, 3)
    TRUE(all_equal(most, [14, 14, 14]))
    TRUE(all_equal(v(1:3), [2, 1, 0]))
    IS(prefix, me * (me + 1) / 2)
    IS(block(1), 3 * (5 + me))
    call MPI_Ialltoall(everybody, 1, MPI_INTEGER, all, 1, MPI_INTEGER, MPI_COMM_WORLD, requests(1), ierr); OK
    call MPI_Ialltoallv(everybody, counts, displacements, MPI_INTEGER, most, counts, displacements, MPI_INTEGER, &
      MPI_COMM_WORLD, requests(2), ierr); OK
    call MPI_Iscatter(everybody, 1, MPI_INTEGER, block, 1, MPI_INTEGER, 1, MPI_COMM_WORLD, requests(3), ierr); OK
    call MPI_Iscatterv(everybody, counts, displacements, MPI_INTEGER, prefix, 1, MPI_INTEGER, 1, MPI_COMM_WORLD, &
      requests(4), ierr); OK
    call MPI_Igatherv(mine, 1, MPI_INTEGER, v, counts, displacements, MPI_INTEGER, 2, MPI_COMM_WORLD, requests(5), ierr); OK
    call MPI_Ireduce(mine, total, 1, MPI_INTEGER, MPI_PROD, 0, MPI_COMM_WORLD, requests(6), ierr); OK
    do i = 1, 6
      call MPI_Wait(requests(i), MPI_STATUS_IGNORE, ierr); OK
    end do
    TRUE(all_equal(all, [me, me, me]))
    TRUE(all_equal(most, [2 - me, 2 - me, 2 - me]))
    IS(block(1), me)
    IS(prefix, 2 - me)
    if (me == 0) then; IS(total, 0); end if
    out = [1, 2, 3]
    call MPI_Iexscan(mine, prefix, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, requests(1), ierr); OK
    call MPI_Ireduce_scatter(out, block, counts, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, requests(2), ierr); OK
    call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, ierr); OK
    if (me > 0) then; IS(prefix, me * (me - 1) / 2); end if
    IS(block(1), 3 * (me + 1))
  end subroutine

  ! The types may be freed as soon as the call returns; the arrays may not change.
  subroutine start_alltoallw(out, in, request)
    integer ASYNCHRONOUS_ATTRIBUTE :: out(3), in(3)
    HANDLE(MPI_Request) :: request
    HANDLE(MPI_Datatype), save :: types(3)
    integer, save :: counts(3) = 1, displacements(3) = [0, 4, 8]
    integer :: i
    do i = 1, 3
      call MPI_Type_contiguous(1, MPI_INTEGER, types(i), ierr); OK
      call MPI_Type_commit(types(i), ierr); OK
    end do
    call MPI_Ialltoallw(out, counts, displacements, types, in, counts, displacements, types, MPI_COMM_WORLD, request, ierr); OK
    do i = 1, 3
      call MPI_Type_free(types(i), ierr); OK
    end do
  end subroutine

  subroutine nonblocking_with_types()
    integer ASYNCHRONOUS_ATTRIBUTE :: out(3), in(3)
    HANDLE(MPI_Request) :: request
    if (known_fault('ialltoallw')) return
    out = [10, 20, 30] + me
    in = -1
    call start_alltoallw(out, in, request)
    call MPI_Wait(request, MPI_STATUS_IGNORE, ierr); OK
    TRUE(all_equal(in, [0, 1, 2] + 10 * (me + 1)))
  end subroutine

  ! An operation that is freed while it is at work.
  subroutine nonblocking_user_reductions()
    integer ASYNCHRONOUS_ATTRIBUTE :: in(4), out(4)
    HANDLE(MPI_Op) :: op
    HANDLE(MPI_Request) :: request
    integer :: i
    do i = 1, 20
      in = me + i
      call MPI_Op_create(add, .true., op, ierr); OK
      call MPI_Iallreduce(in, out, 4, MPI_INTEGER, op, MPI_COMM_WORLD, request, ierr); OK
      call MPI_Op_free(op, ierr); OK
      call MPI_Wait(request, MPI_STATUS_IGNORE, ierr); OK
      TRUE(all(out == 3 + 3 * i))
    end do
    TRUE(type_known)
  end subroutine

  ! Rank 0 against the others.
  subroutine between_groups()
    HANDLE(MPI_Comm) :: local
    HANDLE(MPI_Comm) :: between
    integer :: value, root
    logical :: flag
    call MPI_Comm_split(MPI_COMM_WORLD, min(me, 1), me, local, ierr); OK
    call MPI_Intercomm_create(local, 0, MPI_COMM_WORLD, merge(1, 0, me == 0), 5, between, ierr); OK
    call MPI_Comm_test_inter(between, flag, ierr); OK
    IS(flag, .true.)
    root = merge(MPI_ROOT, 0, me == 0)
    value = merge(42, 0, me == 0)
    call MPI_Bcast(value, 1, MPI_INTEGER, root, between, ierr); OK
    IS(value, 42)
    root = 0
    if (me == 1) root = MPI_ROOT
    if (me == 2) root = MPI_PROC_NULL
    value = me
    call MPI_Bcast(value, 1, MPI_INTEGER, root, between, ierr); OK
    IS(value, merge(1, me, me == 0))
    call MPI_Comm_free(between, ierr); OK
    call MPI_Comm_free(local, ierr); OK
  end subroutine

#if defined(MPICH) || defined(MPIABI)
  subroutine persistent()
    integer :: round
    integer ASYNCHRONOUS_ATTRIBUTE :: value, total, all(3)
    HANDLE(MPI_Request) :: requests(4)
    call MPI_Bcast_init(value, 1, MPI_INTEGER, 0, MPI_COMM_WORLD, MPI_INFO_NULL, requests(1), ierr); OK
    call MPI_Allreduce_init(me, total, 1, MPI_INTEGER, sum_op, MPI_COMM_WORLD, MPI_INFO_NULL, requests(2), ierr); OK
    call MPI_Barrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, requests(3), ierr); OK
    call MPI_Allgather_init(me, 1, MPI_INTEGER, all, 1, MPI_INTEGER, MPI_COMM_WORLD, MPI_INFO_NULL, requests(4), ierr); OK
    do round = 1, 3
      value = merge(round, 0, me == 0)
      total = -1
      all = -1
      call MPI_Startall(4, requests, ierr); OK
      call MPI_Waitall(4, requests, MPI_STATUSES_IGNORE, ierr); OK
      IS(value, round)
      IS(total, 3)
      TRUE(all_equal(all, [0, 1, 2]))
    end do
    do round = 1, 4
      call MPI_Request_free(requests(round), ierr); OK
    end do
  end subroutine
#endif
end program
