! SPDX-License-Identifier: BSD-3-Clause
!
! One-sided communication: every kind of window, every transfer, every way of synchronizing,
! attributes of windows with callbacks and predefined ones.
! ranks: 2
#include "check.h"

module window_callbacks
  USE_MPI
  implicit none
  MPIF_H
  ! In a common block, which compilers align on every architecture: MPICH 4.0.2 over UCX rounds a window's address down to 16.
  integer ASYNCHRONOUS_ATTRIBUTE, target :: memory(8)
  common /window_memory/ memory
  save /window_memory/
  integer :: deletes = 0
  integer(kind=MPI_ADDRESS_KIND) :: deleted = 0, seen_extra = 0
  HANDLE(MPI_Win) :: seen_win
contains
  subroutine delete_win(win, win_keyval, attribute_val, extra_state, ierror)
    HANDLE(MPI_Win) :: win
    integer :: win_keyval, ierror
    integer(kind=MPI_ADDRESS_KIND) :: extra_state, attribute_val
    deletes = deletes + 1
    deleted = attribute_val
    seen_extra = extra_state
    seen_win = win
    ierror = MPI_SUCCESS
  end subroutine
end module

program rma
  use, intrinsic :: iso_c_binding
  use checks
  use window_callbacks
  implicit none
  integer :: ierr, other
  HANDLE(MPI_Win) :: win
  HANDLE(MPI_Group) :: partner

  call check_begin()
  other = 1 - me
  call make()
  call fences()
  call accumulations()
  call atomics()
  call locks()
  call general_active()
  call requests()
  call names_and_groups()
  call attributes()
  call MPI_Win_free(win, ierr); OK
  TRUE(win == MPI_WIN_NULL)
  call MPI_Group_free(partner, ierr); OK
  call allocated()
  call shared()
  call dynamic()
  call check_end('rma')

contains

  subroutine make()
    integer(kind=MPI_ADDRESS_KIND) :: size
    HANDLE(MPI_Group) :: world
    memory = 100 * me
    size = 32
    call MPI_Win_create(memory, size, 4, MPI_INFO_NULL, MPI_COMM_WORLD, win, ierr); OK
    TRUE(win /= MPI_WIN_NULL)
    call MPI_Comm_group(MPI_COMM_WORLD, world, ierr); OK
    call MPI_Group_incl(world, 1, [other], partner, ierr); OK
    call MPI_Group_free(world, ierr); OK
  end subroutine

  subroutine fences()
    integer ASYNCHRONOUS_ATTRIBUTE :: value(2), got(2)
    integer(kind=MPI_ADDRESS_KIND) :: at
    HANDLE(MPI_Datatype) :: strided
    value = [me + 1, me + 2]
    got = -1
    at = 2
    call MPI_Win_fence(MPI_MODE_NOPRECEDE, win, ierr); OK
    call MPI_Put(value, 2, MPI_INTEGER, other, at, 2, MPI_INTEGER, win, ierr); OK
    call MPI_Win_fence(0, win, ierr); OK
    TRUE(all(memory(3:4) == [other + 1, other + 2]))
    call MPI_Get(got, 2, MPI_INTEGER, other, at, 2, MPI_INTEGER, win, ierr); OK
    call MPI_Win_fence(0, win, ierr); OK
    TRUE(all(got == value))
    call MPI_Type_vector(2, 1, 3, MPI_INTEGER, strided, ierr); OK
    call MPI_Type_commit(strided, ierr); OK
    at = 1
    call MPI_Put(value, 2, MPI_INTEGER, other, at, 1, strided, win, ierr); OK
    call MPI_Put(value, 2, MPI_INTEGER, MPI_PROC_NULL, at, 1, strided, win, ierr); OK
    call MPI_Win_fence(MPI_MODE_NOSUCCEED + MPI_MODE_NOPUT, win, ierr); OK
    IS(memory(2), other + 1)
    IS(memory(5), other + 2)
    call MPI_Type_free(strided, ierr); OK
  end subroutine

  subroutine accumulations()
    integer ASYNCHRONOUS_ATTRIBUTE :: value(2), got(2)
    integer(kind=MPI_ADDRESS_KIND) :: at
    memory = 10
    value = me + 1
    at = 0
    call MPI_Win_fence(0, win, ierr); OK
    call MPI_Accumulate(value, 2, MPI_INTEGER, 0, at, 2, MPI_INTEGER, MPI_SUM, win, ierr); OK
    call MPI_Win_fence(0, win, ierr); OK
    if (me == 0) then; TRUE(all(memory(1:2) == 13)); end if
    call MPI_Win_fence(0, win, ierr); OK
    if (me == 1) then
      call MPI_Accumulate(value, 1, MPI_INTEGER, 0, at, 1, MPI_INTEGER, MPI_REPLACE, win, ierr); OK
      call MPI_Get_accumulate(value, 1, MPI_INTEGER, got, 1, MPI_INTEGER, 0, 1_MPI_ADDRESS_KIND, 1, MPI_INTEGER, &
        MPI_MAX, win, ierr); OK
    end if
    call MPI_Win_fence(0, win, ierr); OK
    if (me == 0) then; IS(memory(1), 2); IS(memory(2), 13); end if
    if (me == 1) then; IS(got(1), 13); end if
  end subroutine

  subroutine atomics()
    integer ASYNCHRONOUS_ATTRIBUTE :: value, compare, got
    integer(kind=MPI_ADDRESS_KIND) :: at
    call MPI_Win_fence(0, win, ierr); OK
    memory = 5
    call MPI_Win_fence(0, win, ierr); OK
    at = 3
    value = 7
    if (me == 1) then
      call MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win, ierr); OK
      call MPI_Fetch_and_op(value, got, MPI_INTEGER, 0, at, MPI_SUM, win, ierr); OK
      call MPI_Win_flush(0, win, ierr); OK
      IS(got, 5)
      call MPI_Fetch_and_op(value, got, MPI_INTEGER, 0, at, MPI_NO_OP, win, ierr); OK
      call MPI_Win_flush(0, win, ierr); OK
      IS(got, 12)
      compare = 12
      value = 99
      call MPI_Compare_and_swap(value, compare, got, MPI_INTEGER, 0, at, win, ierr); OK
      call MPI_Win_flush(0, win, ierr); OK
      IS(got, 12)
      call MPI_Compare_and_swap(value, compare, got, MPI_INTEGER, 0, at, win, ierr); OK
      call MPI_Win_unlock(0, win, ierr); OK
      IS(got, 99)
    end if
    call MPI_Barrier(MPI_COMM_WORLD, ierr); OK
  end subroutine

  subroutine locks()
    integer ASYNCHRONOUS_ATTRIBUTE :: value
    integer(kind=MPI_ADDRESS_KIND) :: at
    at = 6
    value = 1000 + me
    call MPI_Win_lock(MPI_LOCK_SHARED, other, 0, win, ierr); OK
    call MPI_Put(value, 1, MPI_INTEGER, other, at, 1, MPI_INTEGER, win, ierr); OK
    call MPI_Win_flush_local(other, win, ierr); OK
    call MPI_Win_unlock(other, win, ierr); OK
    call MPI_Barrier(MPI_COMM_WORLD, ierr); OK
    call MPI_Win_lock(MPI_LOCK_SHARED, me, 0, win, ierr); OK
    call MPI_Win_sync(win, ierr); OK
    IS(memory(7), 1000 + other)
    call MPI_Win_unlock(me, win, ierr); OK
    call MPI_Win_lock_all(0, win, ierr); OK
    call MPI_Get(value, 1, MPI_INTEGER, other, at, 1, MPI_INTEGER, win, ierr); OK
    call MPI_Win_flush_all(win, ierr); OK
    IS(value, 1000 + me)
    call MPI_Win_flush_local_all(win, ierr); OK
    call MPI_Win_unlock_all(win, ierr); OK
    call MPI_Barrier(MPI_COMM_WORLD, ierr); OK
  end subroutine

  subroutine general_active()
    integer ASYNCHRONOUS_ATTRIBUTE :: value
    integer(kind=MPI_ADDRESS_KIND) :: at
    logical :: flag
    at = 7
    value = 50 + me
    call MPI_Win_post(partner, 0, win, ierr); OK
    call MPI_Win_start(partner, 0, win, ierr); OK
    call MPI_Put(value, 1, MPI_INTEGER, other, at, 1, MPI_INTEGER, win, ierr); OK
    call MPI_Win_complete(win, ierr); OK
    call MPI_Win_wait(win, ierr); OK
    IS(memory(8), 50 + other)
    call MPI_Win_post(partner, 0, win, ierr); OK
    call MPI_Win_start(partner, 0, win, ierr); OK
    call MPI_Win_complete(win, ierr); OK
    flag = .false.
    do while (.not. flag)
      call MPI_Win_test(win, flag, ierr)
    end do
    IS(flag, .true.)
  end subroutine

  subroutine requests()
    integer ASYNCHRONOUS_ATTRIBUTE :: value, got, sum_of
    integer(kind=MPI_ADDRESS_KIND) :: at
    HANDLE(MPI_Request) :: request
    at = 0
    value = 31 + me
    call MPI_Win_lock_all(0, win, ierr); OK
    call MPI_Rput(value, 1, MPI_INTEGER, other, at, 1, MPI_INTEGER, win, request, ierr); OK
    call MPI_Wait(request, MPI_STATUS_IGNORE, ierr); OK
    call MPI_Win_flush(other, win, ierr); OK
    call MPI_Raccumulate(value, 1, MPI_INTEGER, other, at, 1, MPI_INTEGER, MPI_SUM, win, request, ierr); OK
    call MPI_Wait(request, MPI_STATUS_IGNORE, ierr); OK
    call MPI_Win_flush(other, win, ierr); OK
    call MPI_Rget_accumulate(value, 1, MPI_INTEGER, sum_of, 1, MPI_INTEGER, other, at, 1, MPI_INTEGER, MPI_SUM, win, &
      request, ierr); OK
    call MPI_Wait(request, MPI_STATUS_IGNORE, ierr); OK
    call MPI_Win_flush(other, win, ierr); OK
    IS(sum_of, 2 * value)
    call MPI_Rget(got, 1, MPI_INTEGER, other, at, 1, MPI_INTEGER, win, request, ierr); OK
    call MPI_Wait(request, MPI_STATUS_IGNORE, ierr); OK
    IS(got, 3 * value)
    call MPI_Win_unlock_all(win, ierr); OK
    call MPI_Barrier(MPI_COMM_WORLD, ierr); OK
  end subroutine

  subroutine names_and_groups()
    character(len=MPI_MAX_OBJECT_NAME) :: name
    HANDLE(MPI_Group) :: group
    HANDLE(MPI_Info) :: info
    integer :: length, size
    call MPI_Win_set_name(win, 'a window', ierr); OK
    name = repeat('x', len(name))
    call MPI_Win_get_name(win, name, length, ierr); OK
    if (.not. known_fault('window-name')) then; IS(name, 'a window'); IS(length, 8); end if
    call MPI_Win_get_group(win, group, ierr); OK
    call MPI_Group_size(group, size, ierr); OK
    IS(size, 2)
    call MPI_Group_free(group, ierr); OK
    call MPI_Win_get_info(win, info, ierr); OK
    call MPI_Win_set_info(win, info, ierr); OK
    call MPI_Info_free(info, ierr); OK
  end subroutine

  subroutine attributes()
    integer :: keyval
    integer(kind=MPI_ADDRESS_KIND) :: value, extra, place
    logical :: flag
    call MPI_Win_get_attr(win, MPI_WIN_BASE, value, flag, ierr); OK
    IS(flag, .true.)
    call MPI_Get_address(memory, place, ierr); OK
    IS(value, place)
    call MPI_Win_get_attr(win, MPI_WIN_SIZE, value, flag, ierr); OK
    IS(value, 32)
    call MPI_Win_get_attr(win, MPI_WIN_DISP_UNIT, value, flag, ierr); OK
    IS(value, 4)
    call MPI_Win_get_attr(win, MPI_WIN_CREATE_FLAVOR, value, flag, ierr); OK
    IS(flag, .true.)
    IS(value, MPI_WIN_FLAVOR_CREATE)
    call MPI_Win_get_attr(win, MPI_WIN_MODEL, value, flag, ierr); OK
    TRUE(value == MPI_WIN_SEPARATE .or. value == MPI_WIN_UNIFIED)
    extra = 9876543210_8
    call MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, delete_win, keyval, extra, ierr); OK
    value = 1234567890123_8
    call MPI_Win_set_attr(win, keyval, value, ierr); OK
    value = 0
    call MPI_Win_get_attr(win, keyval, value, flag, ierr); OK
    IS(flag, .true.)
    IS(value, 1234567890123_8)
    call MPI_Win_delete_attr(win, keyval, ierr); OK
    IS(deletes, 1)
    IS(deleted, 1234567890123_8)
    IS(seen_extra, 9876543210_8)
    if (.not. known_fault('delete-callback-window')) then; TRUE(seen_win == win); end if
    call MPI_Win_free_keyval(keyval, ierr); OK
    IS(keyval, MPI_KEYVAL_INVALID)
    call MPI_Win_create_keyval(MPI_WIN_DUP_FN, MPI_WIN_NULL_DELETE_FN, keyval, extra, ierr); OK
    call MPI_Win_free_keyval(keyval, ierr); OK
  end subroutine

  ! The address of memory that MPI allocates: a C pointer, or an integer that is one.
#if INTERFACE == 2008
#define ADDRESS type(c_ptr)
#define POINTED(address) address
#else
#define ADDRESS integer(kind=MPI_ADDRESS_KIND)
#define POINTED(address) transfer(address, c_null_ptr)
#endif

  subroutine allocated()
    ADDRESS :: base
    integer ASYNCHRONOUS_ATTRIBUTE :: mine
    integer, pointer ASYNCHRONOUS_ATTRIBUTE :: values(:)
    integer(kind=MPI_ADDRESS_KIND) :: size, value
    logical :: flag
    size = 48
    call MPI_Win_allocate(size, 4, MPI_INFO_NULL, MPI_COMM_WORLD, base, win, ierr); OK
    call c_f_pointer(POINTED(base), values, [12])
    values = me
    mine = me + 5
    call MPI_Win_fence(0, win, ierr); OK
    call MPI_Put(mine, 1, MPI_INTEGER, other, 11_MPI_ADDRESS_KIND, 1, MPI_INTEGER, win, ierr); OK
    call MPI_Win_fence(0, win, ierr); OK
    IS(values(12), other + 5)
    call MPI_Win_get_attr(win, MPI_WIN_CREATE_FLAVOR, value, flag, ierr); OK
    IS(value, MPI_WIN_FLAVOR_ALLOCATE)
    call MPI_Win_free(win, ierr); OK
    ! Sizes need be a multiple of nothing.
    if (known_fault('window-sizes')) return
    size = 20
    call MPI_Win_allocate(size, 4, MPI_INFO_NULL, MPI_COMM_WORLD, base, win, ierr); OK
    call MPI_Win_get_attr(win, MPI_WIN_SIZE, value, flag, ierr); OK
    IS(value, 20)
    call c_f_pointer(POINTED(base), values, [5])
    values = me + 70
    call MPI_Win_fence(0, win, ierr); OK
    call MPI_Get(mine, 1, MPI_INTEGER, other, 0_MPI_ADDRESS_KIND, 1, MPI_INTEGER, win, ierr); OK
    call MPI_Win_fence(0, win, ierr); OK
    IS(mine, other + 70)
    call MPI_Win_free(win, ierr); OK
  end subroutine

  subroutine shared()
    ADDRESS :: base
    integer, pointer, volatile :: values(:)
    integer(kind=MPI_ADDRESS_KIND) :: size, value
    integer :: unit
    logical :: flag
    size = 16
    call MPI_Win_allocate_shared(size, 4, MPI_INFO_NULL, MPI_COMM_WORLD, base, win, ierr); OK
    call c_f_pointer(POINTED(base), values, [4])
    call MPI_Win_fence(0, win, ierr); OK
    values = 60 + me
    call MPI_Win_fence(0, win, ierr); OK
    size = -1
    call MPI_Win_shared_query(win, other, size, unit, base, ierr); OK
    IS(size, 16)
    IS(unit, 4)
    call c_f_pointer(POINTED(base), values, [4])
    IS(values(1), 60 + other)
    call MPI_Win_get_attr(win, MPI_WIN_CREATE_FLAVOR, value, flag, ierr); OK
    IS(value, MPI_WIN_FLAVOR_SHARED)
    call MPI_Win_fence(0, win, ierr); OK
    call MPI_Win_free(win, ierr); OK
  end subroutine

  subroutine dynamic()
    integer ASYNCHRONOUS_ATTRIBUTE :: mine
    integer(kind=MPI_ADDRESS_KIND) :: size, place, its, value
    logical :: flag
    call MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, win, ierr); OK
    size = 32
    memory = me
    mine = me + 70
    call MPI_Win_attach(win, memory, size, ierr); OK
    call MPI_Get_address(memory(2), place, ierr); OK
    call MPI_Sendrecv(place, 1, MPI_AINT, other, 0, its, 1, MPI_AINT, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr); OK
    call MPI_Win_fence(0, win, ierr); OK
    call MPI_Put(mine, 1, MPI_INTEGER, other, its, 1, MPI_INTEGER, win, ierr); OK
    call MPI_Win_fence(0, win, ierr); OK
    IS(memory(2), other + 70)
    call MPI_Win_get_attr(win, MPI_WIN_CREATE_FLAVOR, value, flag, ierr); OK
    IS(value, MPI_WIN_FLAVOR_DYNAMIC)
    call MPI_Win_detach(win, memory, ierr); OK
    call MPI_Win_free(win, ierr); OK
  end subroutine
end program
