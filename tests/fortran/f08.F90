! SPDX-License-Identifier: BSD-3-Clause
!
! Features that mpi_f08 alone has: handles that are types with operators, ierror left out, TYPE(MPI_Status) and its conversions,
! procedures as the interfaces declare them, scalars and arrays of any rank as buffers.
! ranks: 2
! interfaces: 2008
#include "check.h"
program f08
  use, intrinsic :: iso_c_binding
  use checks
  use mpi_f08
  implicit none
  integer :: ierr, other

  call check_begin()
  other = 1 - me
  call without_ierror()
  call operators()
  call integer_handles()
  call statuses()
#if defined(MPICH) || defined(MPIABI)
  ! Declared by Open MPI 4.1, but not in its library.
  call conversions()
#endif
  call buffers()
  call absolute()
  call sync_reg()
  call keywords()
#if defined(MPICH) || defined(MPIABI)
  call large_counts()
#endif
  call check_end('f08')

contains

  subroutine without_ierror()
    integer :: rank, size, value, count, length
    logical :: flag
    type(MPI_Comm) :: comm
    type(MPI_Request) :: request
    type(MPI_Status) :: status
    type(MPI_Datatype) :: datatype
    type(MPI_Info) :: info
    type(MPI_Op) :: op
    type(MPI_Group) :: group
    character(len=MPI_MAX_OBJECT_NAME) :: name
    integer(kind=MPI_ADDRESS_KIND) :: lb, extent
    call MPI_Initialized(flag)
    IS(flag, .true.)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank)
    IS(rank, me)
    call MPI_Comm_size(MPI_COMM_WORLD, size)
    IS(size, 2)
    call MPI_Comm_dup(MPI_COMM_WORLD, comm)
    call MPI_Irecv(value, 1, MPI_INTEGER, other, 1, comm, request)
    call MPI_Send(me, 1, MPI_INTEGER, other, 1, comm)
    call MPI_Wait(request, status)
    IS(value, other)
    IS(status%MPI_SOURCE, other)
    call MPI_Get_count(status, MPI_INTEGER, count)
    IS(count, 1)
    call MPI_Comm_set_name(comm, 'name')
    call MPI_Comm_get_name(comm, name, length)
    IS(name, 'name')
    call MPI_Allreduce(me, value, 1, MPI_INTEGER, MPI_SUM, comm)
    IS(value, 1)
    call MPI_Op_create(add, .true., op)
    call MPI_Allreduce(me, value, 1, MPI_INTEGER, op, comm)
    IS(value, 1)
    call MPI_Op_free(op)
    call MPI_Type_vector(2, 1, 2, MPI_INTEGER, datatype)
    call MPI_Type_commit(datatype)
    call MPI_Type_get_extent(datatype, lb, extent)
    IS(extent, 12)
    call MPI_Type_free(datatype)
    call MPI_Info_create(info)
    call MPI_Info_set(info, 'a', 'b')
    call MPI_Info_get(info, 'a', len(name), name, flag)
    IS(name, 'b')
    call MPI_Info_free(info)
    call MPI_Comm_group(comm, group)
    call MPI_Group_free(group)
    call MPI_Barrier(comm)
    call MPI_Comm_free(comm)
    TRUE(comm == MPI_COMM_NULL)
  end subroutine

  subroutine add(invec, inoutvec, len, datatype)
    type(c_ptr), value :: invec, inoutvec
    integer :: len
    type(MPI_Datatype) :: datatype
    integer, pointer :: a(:), b(:)
    call c_f_pointer(invec, a, [len])
    call c_f_pointer(inoutvec, b, [len])
    b = a + b
  end subroutine

  ! Handles of a class are compared with == and /=.
  subroutine operators()
    type(MPI_Comm) :: comm
    type(MPI_Datatype) :: datatype
    type(MPI_Group) :: group
    type(MPI_Request) :: request
    type(MPI_Op) :: op
    type(MPI_Errhandler) :: handler
    type(MPI_Info) :: info
    type(MPI_Win) :: win
    type(MPI_File) :: file
    type(MPI_Message) :: message
    comm = MPI_COMM_WORLD
    TRUE(comm == MPI_COMM_WORLD); TRUE(comm /= MPI_COMM_SELF); FALSE(comm == MPI_COMM_NULL); FALSE(comm /= MPI_COMM_WORLD)
    datatype = MPI_INTEGER
    TRUE(datatype == MPI_INTEGER); TRUE(datatype /= MPI_REAL); FALSE(datatype == MPI_DATATYPE_NULL)
    group = MPI_GROUP_EMPTY
    TRUE(group == MPI_GROUP_EMPTY); TRUE(group /= MPI_GROUP_NULL)
    request = MPI_REQUEST_NULL
    TRUE(request == MPI_REQUEST_NULL); FALSE(request /= MPI_REQUEST_NULL)
    op = MPI_SUM
    TRUE(op == MPI_SUM); TRUE(op /= MPI_MAX); FALSE(op == MPI_OP_NULL)
    handler = MPI_ERRORS_RETURN
    TRUE(handler == MPI_ERRORS_RETURN); TRUE(handler /= MPI_ERRORS_ARE_FATAL)
    info = MPI_INFO_NULL
    TRUE(info == MPI_INFO_NULL); TRUE(info /= MPI_INFO_ENV)
    win = MPI_WIN_NULL
    TRUE(win == MPI_WIN_NULL); FALSE(win /= MPI_WIN_NULL)
    file = MPI_FILE_NULL
    TRUE(file == MPI_FILE_NULL); FALSE(file /= MPI_FILE_NULL)
    message = MPI_MESSAGE_NULL
    TRUE(message == MPI_MESSAGE_NULL); TRUE(message /= MPI_MESSAGE_NO_PROC)
  end subroutine

  ! MPI_VAL is the handle of the other interfaces.
  subroutine integer_handles()
    type(MPI_Comm) :: comm, same
    integer :: size
    call MPI_Comm_dup(MPI_COMM_SELF, comm, ierr); OK
    same%MPI_VAL = comm%MPI_VAL
    TRUE(same == comm)
    call MPI_Comm_size(same, size, ierr); OK
    IS(size, 1)
    call MPI_Comm_free(same, ierr); OK
  end subroutine

  ! A status that the program makes keeps what it is told, and can be copied.
  subroutine statuses()
    type(MPI_Status) :: status, copy, list(3)
    type(MPI_Request) :: requests(3)
    integer :: in(3), i, count
    do i = 1, 3
      call MPI_Irecv(in(i), 1, MPI_INTEGER, other, i, MPI_COMM_WORLD, requests(i), ierr); OK
    end do
    do i = 3, 1, -1
      call MPI_Send(i, 1, MPI_INTEGER, other, i, MPI_COMM_WORLD, ierr); OK
    end do
    call MPI_Waitall(3, requests, list, ierr); OK
    do i = 1, 3
      IS(list(i)%MPI_SOURCE, other)
      IS(list(i)%MPI_TAG, i)
      IS(in(i), i)
    end do
    copy = list(2)
    list(2)%MPI_TAG = 0
    IS(copy%MPI_TAG, 2)
    call MPI_Get_count(copy, MPI_INTEGER, count, ierr); OK
    IS(count, 1)
    status%MPI_ERROR = 17
    IS(status%MPI_ERROR, 17)
  end subroutine

#if defined(MPICH) || defined(MPIABI)
  ! Between TYPE(MPI_Status) and an array of MPI_STATUS_SIZE integers.
  subroutine conversions()
    type(MPI_Status) :: status, back
    integer :: old(MPI_STATUS_SIZE), value, count
    call MPI_Sendrecv(me, 1, MPI_INTEGER, other, 33, value, 1, MPI_INTEGER, other, 33, MPI_COMM_WORLD, status, ierr); OK
    status%MPI_ERROR = 5
    call MPI_Status_f082f(status, old, ierr); OK
    IS(old(MPI_SOURCE), other)
    IS(old(MPI_TAG), 33)
    IS(old(MPI_ERROR), 5)
    back%MPI_SOURCE = -100
    call MPI_Status_f2f08(old, back, ierr); OK
    IS(back%MPI_SOURCE, other)
    IS(back%MPI_TAG, 33)
    IS(back%MPI_ERROR, 5)
    call MPI_Get_count(back, MPI_INTEGER, count, ierr); OK
    IS(count, 1)
    call MPI_Status_f082f(status, old)
    call MPI_Status_f2f08(old, back)
    IS(back%MPI_TAG, 33)
  end subroutine
#endif

  ! A buffer may be a scalar, an array of any rank, a derived type, allocatable or a pointer.
  subroutine buffers()
    type :: point
      sequence
      integer :: x, y
    end type
    type(point) :: p, q
    integer :: scalar, got, matrix(2, 3), copy(2, 3)
    real(kind=8), allocatable :: cube(:, :, :), cubes(:, :, :)
    integer, pointer :: chosen(:)
    character(len=6) :: words(2), heard(2)
    type(MPI_Status) :: status
    integer :: i
    scalar = 40 + me
    call exchange_scalar(scalar, got)
    IS(got, 40 + other)
    matrix = reshape([(10 * me + i, i = 1, 6)], [2, 3])
    call MPI_Sendrecv(matrix, 6, MPI_INTEGER, other, 2, copy, 6, MPI_INTEGER, other, 2, MPI_COMM_WORLD, status, ierr); OK
    TRUE(all(copy == reshape([(10 * other + i, i = 1, 6)], [2, 3])))
    allocate(cube(2, 2, 2), cubes(2, 2, 2), chosen(2))
    cube = me + 0.25d0
    call MPI_Sendrecv(cube, 8, MPI_DOUBLE_PRECISION, other, 3, cubes, 8, MPI_DOUBLE_PRECISION, other, 3, MPI_COMM_WORLD, &
      MPI_STATUS_IGNORE, ierr); OK
    TRUE(all(cubes == other + 0.25d0))
    chosen = [me, 9]
    call MPI_Sendrecv_replace(chosen, 2, MPI_INTEGER, other, 4, other, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr); OK
    IS(chosen(1), other)
    p = point(me, 3)
    call MPI_Sendrecv(p, 1, MPI_2INTEGER, other, 5, q, 1, MPI_2INTEGER, other, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr); OK
    IS(q%x, other)
    words = ['first ', 'second']
    call MPI_Sendrecv(words, 12, MPI_CHARACTER, other, 6, heard, 12, MPI_CHARACTER, other, 6, MPI_COMM_WORLD, &
      MPI_STATUS_IGNORE, ierr); OK
    IS(heard(2), 'second')
    call assumed_size(matrix, copy, 6)
    IS(copy(2, 3), 10 * other + 6)
    deallocate(chosen)
  end subroutine

  subroutine exchange_scalar(out, in)
    integer, intent(in) :: out
    integer, intent(out) :: in
    call MPI_Sendrecv(out, 1, MPI_INTEGER, other, 1, in, 1, MPI_INTEGER, other, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
  end subroutine

  subroutine assumed_size(out, in, n)
    integer, intent(in) :: n
    integer :: out(*), in(*)
    call MPI_Sendrecv(out, n, MPI_INTEGER, other, 7, in, n, MPI_INTEGER, other, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
  end subroutine

  subroutine absolute()
    integer ASYNCHRONOUS_ATTRIBUTE, target :: a(3)
    integer :: out(3), total(3)
    type(MPI_Datatype) :: datatype
    integer(kind=MPI_ADDRESS_KIND) :: place(1)
    call MPI_Get_address(a, place(1)); 
    call MPI_Type_create_hindexed(1, [3], place, MPI_INTEGER, datatype)
    call MPI_Type_commit(datatype)
    out = [1, 2, 3] + me
    a = -1
    call MPI_Sendrecv(out, 3, MPI_INTEGER, other, 8, MPI_BOTTOM, 1, datatype, other, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
#ifndef NO_SYNC_REG
    call MPI_F_sync_reg(a)
#endif
    TRUE(all(a == [1, 2, 3] + other))
    call MPI_Type_free(datatype)
    total = me
    call MPI_Allreduce(MPI_IN_PLACE, total, 3, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
    TRUE(all(total == 1))
  end subroutine

  subroutine sync_reg()
    integer ASYNCHRONOUS_ATTRIBUTE :: scalar, vector(4)
    scalar = 3
    vector = 4
#ifndef NO_SYNC_REG
    call MPI_F_sync_reg(scalar)
    call MPI_F_sync_reg(vector)
    call MPI_F_sync_reg(vector(1:4:2))
#endif
    IS(scalar, 3)
    TRUE(all(vector == 4))
  end subroutine

  ! The names of arguments belong to the interface.
  subroutine keywords()
    integer :: value
    type(MPI_Status) :: status
    value = me
    call MPI_Bcast(buffer=value, count=1, datatype=MPI_INTEGER, root=1, comm=MPI_COMM_WORLD, ierror=ierr); OK
    IS(value, 1)
    call MPI_Recv(buf=value, count=1, datatype=MPI_INTEGER, source=MPI_PROC_NULL, tag=0, comm=MPI_COMM_WORLD, &
      status=status, ierror=ierr); OK
    IS(status%MPI_SOURCE, MPI_PROC_NULL)
  end subroutine

#if defined(MPICH) || defined(MPIABI)
  ! The same names with counts of MPI_COUNT_KIND.
  subroutine large_counts()
    integer(kind=MPI_COUNT_KIND) :: count, got, blocks(2), lb, extent
    integer(kind=MPI_COUNT_KIND) :: displacements(2)
    integer :: out(4), in(4), matrix(2, 4)
    type(MPI_Datatype) :: datatype
    type(MPI_Request) :: request
    type(MPI_Status) :: status
    count = 4
    out = [1, 2, 3, 4] + me
    call MPI_Irecv(in, count, MPI_INTEGER, other, 1, MPI_COMM_WORLD, request, ierr); OK
    call MPI_Send(out, count, MPI_INTEGER, other, 1, MPI_COMM_WORLD, ierr); OK
    call MPI_Wait(request, status, ierr); OK
    call MPI_Get_count(status, MPI_INTEGER, got, ierr); OK
    IS(got, 4)
    TRUE(all(in == [1, 2, 3, 4] + other))
    matrix = 0
    matrix(2, :) = out
    call MPI_Sendrecv(matrix(2, :), count, MPI_INTEGER, other, 1, matrix(1, :), count, MPI_INTEGER, other, 1, &
      MPI_COMM_WORLD, status, ierr); OK
    TRUE(all(matrix(1, :) == in))
    call MPI_Allreduce(out, in, count, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr); OK
    TRUE(all(in == [3, 5, 7, 9]))
    blocks = [1, 2]
    displacements = [0, 8]
    call MPI_Type_create_hindexed(2_MPI_COUNT_KIND, blocks, displacements, MPI_INTEGER, datatype, ierr); OK
    call MPI_Type_size(datatype, got, ierr); OK
    IS(got, 12)
    call MPI_Type_get_extent(datatype, lb, extent, ierr); OK
    IS(extent, 16)
    call MPI_Type_free(datatype, ierr); OK
  end subroutine
#endif
end program
