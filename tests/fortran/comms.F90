! SPDX-License-Identifier: BSD-3-Clause
!
! Groups, communicators, and attributes: callbacks with addresses and, as in MPI-1, with INTEGERs,
! predefined callbacks and attributes.
! ranks: 3
#include "check.h"

! Counts of the attribute callbacks. A copy callback returns the value plus one.
module attribute_callbacks
  use checks, only: me, known_fault
  USE_MPI
  implicit none
  MPIF_H
  integer :: copies = 0, deletes = 0, fail_with = 0
  integer(kind=MPI_ADDRESS_KIND) :: seen_extra = 0, deleted = 0
  integer :: seen_keyval = 0
  HANDLE(MPI_Comm) :: seen_comm
  HANDLE(MPI_Datatype) :: seen_type
contains
  subroutine copy_comm(oldcomm, comm_keyval, extra_state, attribute_val_in, attribute_val_out, flag, ierror)
    HANDLE(MPI_Comm) :: oldcomm
    integer :: comm_keyval, ierror
    integer(kind=MPI_ADDRESS_KIND) :: extra_state, attribute_val_in, attribute_val_out
    logical :: flag
    copies = copies + 1
    seen_comm = oldcomm
    seen_keyval = comm_keyval
    seen_extra = extra_state
    attribute_val_out = attribute_val_in + 1
    flag = .true.
    ierror = MPI_SUCCESS
  end subroutine

  subroutine refuse_copy(oldcomm, comm_keyval, extra_state, attribute_val_in, attribute_val_out, flag, ierror)
    HANDLE(MPI_Comm) :: oldcomm
    integer :: comm_keyval, ierror
    integer(kind=MPI_ADDRESS_KIND) :: extra_state, attribute_val_in, attribute_val_out
    logical :: flag
    copies = copies + 1
    flag = .false.
    ierror = MPI_SUCCESS
  end subroutine

  subroutine delete_comm(comm, comm_keyval, attribute_val, extra_state, ierror)
    HANDLE(MPI_Comm) :: comm
    integer :: comm_keyval, ierror
    integer(kind=MPI_ADDRESS_KIND) :: extra_state, attribute_val
    deletes = deletes + 1
    deleted = attribute_val
    seen_comm = comm
    seen_extra = extra_state
    ierror = MPI_SUCCESS
    if (fail_with /= 0) ierror = fail_with
  end subroutine

  subroutine copy_type(oldtype, type_keyval, extra_state, attribute_val_in, attribute_val_out, flag, ierror)
    HANDLE(MPI_Datatype) :: oldtype
    integer :: type_keyval, ierror
    integer(kind=MPI_ADDRESS_KIND) :: extra_state, attribute_val_in, attribute_val_out
    logical :: flag
    copies = copies + 1
    seen_type = oldtype
    seen_extra = extra_state
    attribute_val_out = attribute_val_in * 2
    flag = .true.
    ierror = MPI_SUCCESS
  end subroutine

  subroutine delete_type(datatype, type_keyval, attribute_val, extra_state, ierror)
    HANDLE(MPI_Datatype) :: datatype
    integer :: type_keyval, ierror
    integer(kind=MPI_ADDRESS_KIND) :: extra_state, attribute_val
    deletes = deletes + 1
    deleted = attribute_val
    ierror = MPI_SUCCESS
  end subroutine

  subroutine at_the_end(comm, comm_keyval, attribute_val, extra_state, ierror)
    HANDLE(MPI_Comm) :: comm
    integer :: comm_keyval, ierror
    integer(kind=MPI_ADDRESS_KIND) :: extra_state, attribute_val
    logical :: flag
    call MPI_Finalized(flag, ierror)
    flag = .not. flag .and. (comm == MPI_COMM_SELF .or. known_fault('delete-callback-comm'))
    if (me == 0 .and. flag) print '(a)', 'attributes of MPI_COMM_SELF are deleted'
    ierror = MPI_SUCCESS
  end subroutine

#if INTERFACE != 2008
  ! As in MPI-1, with INTEGERs.
  subroutine copy_old(comm, keyval, extra_state, attribute_val_in, attribute_val_out, flag, ierror)
    integer :: comm, keyval, extra_state, attribute_val_in, attribute_val_out, ierror
    logical :: flag
    copies = copies + 1
    seen_comm = comm
    seen_keyval = keyval
    seen_extra = extra_state
    attribute_val_out = attribute_val_in + 1
    flag = .true.
    ierror = MPI_SUCCESS
  end subroutine

  subroutine delete_old(comm, keyval, attribute_val, extra_state, ierror)
    integer :: comm, keyval, extra_state, attribute_val, ierror
    deletes = deletes + 1
    deleted = attribute_val
    seen_extra = extra_state
    ierror = MPI_SUCCESS
  end subroutine
#endif
end module

program comms
  use checks
  use attribute_callbacks
  implicit none
  integer :: ierr, n

  call check_begin()
  n = processes
  call groups()
  call predefined_groups()
  call communicators()
  call names_and_info()
  call splits()
  call intercommunicators()
  call attributes()
  call predefined_callbacks()
  call type_attributes()
  call predefined_attributes()
#if INTERFACE != 2008
  call old_attributes()
#endif
  call attributes_at_the_end()
  call check_end('comms')

contains

  subroutine members(group, want)
    HANDLE(MPI_Group) :: group
    integer, intent(in) :: want(:)
    HANDLE(MPI_Group) :: world
    integer :: size, i, ranks(10)
    call MPI_Group_size(group, size, ierr); OK
    IS(size, ubound(want, 1))
    call MPI_Comm_group(MPI_COMM_WORLD, world, ierr); OK
    call MPI_Group_translate_ranks(group, size, [(i, i = 0, size - 1)], world, ranks, ierr); OK
    TRUE(all(ranks(1:size) == want))
    call MPI_Group_free(world, ierr); OK
    TRUE(world == MPI_GROUP_NULL)
    call MPI_Group_free(group, ierr); OK
  end subroutine

  subroutine groups()
    HANDLE(MPI_Group) :: world
    HANDLE(MPI_Group) :: some
    HANDLE(MPI_Group) :: others
    HANDLE(MPI_Group) :: made
    integer :: rank, result, ranks(3)
    call MPI_Comm_group(MPI_COMM_WORLD, world, ierr); OK
    call MPI_Group_rank(world, rank, ierr); OK
    IS(rank, me)
    call MPI_Group_incl(world, 2, [2, 0], some, ierr); OK
    call MPI_Group_rank(some, rank, ierr); OK
    IS(rank, merge(MPI_UNDEFINED, merge(1, 0, me == 0), me == 1))
    call MPI_Group_excl(world, 1, [2], others, ierr); OK
    call MPI_Group_translate_ranks(some, 3, [0, 1, MPI_PROC_NULL], others, ranks, ierr); OK
    IS(ranks(1), MPI_UNDEFINED)
    IS(ranks(2), 0)
    IS(ranks(3), MPI_PROC_NULL)
    call MPI_Group_union(some, others, made, ierr); OK
    call members(made, [2, 0, 1])
    call MPI_Group_intersection(some, others, made, ierr); OK
    call members(made, [0])
    call MPI_Group_difference(some, others, made, ierr); OK
    call members(made, [2])
    call MPI_Group_range_incl(world, 1, reshape([2, 0, -2], [3, 1]), made, ierr); OK
    call MPI_Group_compare(made, some, result, ierr); OK
    IS(result, MPI_IDENT)
    call members(made, [2, 0])
    call MPI_Group_range_excl(world, 1, reshape([0, 1, 1], [3, 1]), made, ierr); OK
    call members(made, [2])
    call MPI_Group_incl(world, 2, [0, 2], made, ierr); OK
    call MPI_Group_compare(made, some, result, ierr); OK
    IS(result, MPI_SIMILAR)
    call MPI_Group_compare(made, others, result, ierr); OK
    IS(result, MPI_UNEQUAL)
    call MPI_Group_free(made, ierr); OK
    call MPI_Group_free(some, ierr); OK
    call MPI_Group_free(others, ierr); OK
    call MPI_Group_free(world, ierr); OK
  end subroutine

  subroutine predefined_groups()
    HANDLE(MPI_Group) :: world
    HANDLE(MPI_Group) :: made
    integer :: size, result
    call MPI_Group_size(MPI_GROUP_EMPTY, size, ierr); OK
    IS(size, 0)
    call MPI_Comm_group(MPI_COMM_WORLD, world, ierr); OK
    call MPI_Group_difference(world, world, made, ierr); OK
    call MPI_Group_compare(made, MPI_GROUP_EMPTY, result, ierr); OK
    IS(result, MPI_IDENT)
    TRUE(MPI_GROUP_NULL /= MPI_GROUP_EMPTY)
    call MPI_Group_free(world, ierr); OK
  end subroutine

  subroutine communicators()
    HANDLE(MPI_Comm) :: comm
    HANDLE(MPI_Group) :: world
    HANDLE(MPI_Group) :: group
    HANDLE(MPI_Request) :: request
    integer :: result, rank, size
    call MPI_Comm_dup(MPI_COMM_WORLD, comm, ierr); OK
    TRUE(comm /= MPI_COMM_WORLD)
    TRUE(comm /= MPI_COMM_NULL)
    call MPI_Comm_compare(comm, MPI_COMM_WORLD, result, ierr); OK
    IS(result, MPI_CONGRUENT)
    call MPI_Comm_compare(comm, comm, result, ierr); OK
    IS(result, MPI_IDENT)
    call MPI_Comm_free(comm, ierr); OK
    TRUE(comm == MPI_COMM_NULL)
    call MPI_Comm_idup(MPI_COMM_WORLD, comm, request, ierr); OK
    call MPI_Wait(request, MPI_STATUS_IGNORE, ierr); OK
    call MPI_Comm_rank(comm, rank, ierr); OK
    IS(rank, me)
    call MPI_Comm_free(comm, ierr); OK
    call MPI_Comm_group(MPI_COMM_WORLD, world, ierr); OK
    call MPI_Group_incl(world, 2, [2, 0], group, ierr); OK
    call MPI_Comm_create(MPI_COMM_WORLD, group, comm, ierr); OK
    if (me == 1) then
      TRUE(comm == MPI_COMM_NULL)
    else
      call MPI_Comm_rank(comm, rank, ierr); OK
      IS(rank, merge(1, 0, me == 0))
      call MPI_Comm_free(comm, ierr); OK
      call MPI_Comm_create_group(MPI_COMM_WORLD, group, 7, comm, ierr); OK
      call MPI_Comm_size(comm, size, ierr); OK
      IS(size, 2)
      call MPI_Comm_free(comm, ierr); OK
    end if
    call MPI_Comm_size(MPI_COMM_SELF, size, ierr); OK
    IS(size, 1)
    call MPI_Group_free(world, ierr); OK
    call MPI_Group_free(group, ierr); OK
    call MPI_Comm_get_parent(comm, ierr); OK
    TRUE(comm == MPI_COMM_NULL)
  end subroutine

  subroutine names_and_info()
    HANDLE(MPI_Comm) :: comm
    HANDLE(MPI_Info) :: info
    character(len=MPI_MAX_OBJECT_NAME) :: name
    character(len=3) :: padded
    integer :: length
    call MPI_Comm_get_name(MPI_COMM_WORLD, name, length, ierr); OK
    IS(name, 'MPI_COMM_WORLD')
    IS(length, 14)
    call MPI_Comm_get_name(MPI_COMM_SELF, name, length, ierr); OK
    IS(name(1:length), 'MPI_COMM_SELF')
    call MPI_Info_create(info, ierr); OK
    call MPI_Comm_dup_with_info(MPI_COMM_WORLD, info, comm, ierr); OK
    name = repeat('x', len(name))
    call MPI_Comm_get_name(comm, name, length, ierr); OK
    call MPI_Comm_set_name(comm, 'a name with blanks behind    ', ierr); OK
    name = repeat('x', len(name))
    call MPI_Comm_get_name(comm, name, length, ierr); OK
    IS(name, 'a name with blanks behind')
    IS(length, 25)
    padded = 'b'
    call MPI_Comm_set_name(comm, padded, ierr); OK
    call MPI_Comm_get_name(comm, name, length, ierr); OK
    IS(length, 1)
    call MPI_Comm_set_info(comm, info, ierr); OK
    call MPI_Info_free(info, ierr); OK
    call MPI_Comm_get_info(comm, info, ierr); OK
    TRUE(info /= MPI_INFO_NULL)
    call MPI_Info_free(info, ierr); OK
    TRUE(info == MPI_INFO_NULL)
    call MPI_Comm_free(comm, ierr); OK
  end subroutine

  subroutine splits()
    HANDLE(MPI_Comm) :: comm
    integer :: rank, size
    call MPI_Comm_split(MPI_COMM_WORLD, merge(0, 1, me < 2), -me, comm, ierr); OK
    call MPI_Comm_rank(comm, rank, ierr); OK
    IS(rank, merge(1, 0, me == 0))
    call MPI_Comm_free(comm, ierr); OK
    call MPI_Comm_split(MPI_COMM_WORLD, merge(MPI_UNDEFINED, 5, me == 0), 0, comm, ierr); OK
    TRUE((comm == MPI_COMM_NULL) .eqv. me == 0)
    if (me > 0) then
      call MPI_Comm_size(comm, size, ierr); OK
      IS(size, 2)
      call MPI_Comm_free(comm, ierr); OK
    end if
    call MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, comm, ierr); OK
    call MPI_Comm_size(comm, size, ierr); OK
    IS(size, 3)
    call MPI_Comm_free(comm, ierr); OK
    call MPI_Comm_split_type(MPI_COMM_WORLD, MPI_UNDEFINED, 0, MPI_INFO_NULL, comm, ierr); OK
    TRUE(comm == MPI_COMM_NULL)
  end subroutine

  subroutine intercommunicators()
    HANDLE(MPI_Comm) :: local
    HANDLE(MPI_Comm) :: between
    HANDLE(MPI_Comm) :: merged
    HANDLE(MPI_Group) :: group
    integer :: size, rank
    logical :: flag
    call MPI_Comm_split(MPI_COMM_WORLD, min(me, 1), me, local, ierr); OK
    call MPI_Intercomm_create(local, 0, MPI_COMM_WORLD, merge(1, 0, me == 0), 5, between, ierr); OK
    call MPI_Comm_test_inter(between, flag, ierr); OK; IS(flag, .true.)
    call MPI_Comm_test_inter(local, flag, ierr); OK; IS(flag, .false.)
    call MPI_Comm_remote_size(between, size, ierr); OK
    IS(size, merge(2, 1, me == 0))
    call MPI_Comm_remote_group(between, group, ierr); OK
    call MPI_Group_size(group, size, ierr); OK
    IS(size, merge(2, 1, me == 0))
    call MPI_Group_free(group, ierr); OK
    call MPI_Intercomm_merge(between, me == 0, merged, ierr); OK
    call MPI_Comm_rank(merged, rank, ierr); OK
    IS(rank, merge(2, me - 1, me == 0))
    call MPI_Comm_free(merged, ierr); OK
    call MPI_Comm_free(between, ierr); OK
    call MPI_Comm_free(local, ierr); OK
  end subroutine

  subroutine attributes()
    integer :: keyval
    integer(kind=MPI_ADDRESS_KIND) :: value, extra
    logical :: flag
    HANDLE(MPI_Comm) :: comm
    HANDLE(MPI_Comm) :: again
    call MPI_Comm_dup(MPI_COMM_WORLD, comm, ierr); OK
    extra = 1234567890123_8
    call MPI_Comm_create_keyval(copy_comm, delete_comm, keyval, extra, ierr); OK
    TRUE(keyval /= MPI_KEYVAL_INVALID)
    call MPI_Comm_get_attr(comm, keyval, value, flag, ierr); OK
    IS(flag, .false.)
    ! A value needs all 64 bits.
    value = -5000000000_8
    call MPI_Comm_set_attr(comm, keyval, value, ierr); OK
    value = 0
    call MPI_Comm_get_attr(comm, keyval, value, flag, ierr); OK
    IS(flag, .true.)
    IS(value, -5000000000_8)
    copies = 0; deletes = 0
    call MPI_Comm_dup(comm, again, ierr); OK
    IS(copies, 1)
    IS(seen_extra, 1234567890123_8)
    IS(seen_keyval, keyval)
    TRUE(seen_comm == comm)
    call MPI_Comm_get_attr(again, keyval, value, flag, ierr); OK
    IS(value, -4999999999_8)
    call MPI_Comm_free(again, ierr); OK
    IS(deletes, 1)
    IS(deleted, -4999999999_8)
    ! Setting anew deletes the value that was.
    value = 6
    call MPI_Comm_set_attr(comm, keyval, value, ierr); OK
    IS(deletes, 2)
    IS(deleted, -5000000000_8)
    if (.not. known_fault('delete-callback-comm')) then; TRUE(seen_comm == comm); end if
    call MPI_Comm_delete_attr(comm, keyval, ierr); OK
    IS(deletes, 3)
    IS(deleted, 6)
    call MPI_Comm_get_attr(comm, keyval, value, flag, ierr); OK
    IS(flag, .false.)
    ! A callback's error is the call's.
    value = 7
    call MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN, ierr); OK
    call MPI_Comm_set_attr(comm, keyval, value, ierr); OK
    fail_with = MPI_ERR_OTHER
    call MPI_Comm_delete_attr(comm, keyval, ierr)
    if (.not. known_fault('delete-callback-fails')) then; FALSE(ierr == MPI_SUCCESS); end if
    fail_with = 0
    call MPI_Comm_free_keyval(keyval, ierr); OK
    IS(keyval, MPI_KEYVAL_INVALID)
    call MPI_Comm_free(comm, ierr); OK
    call MPI_Comm_dup(MPI_COMM_SELF, comm, ierr); OK
    call MPI_Comm_create_keyval(refuse_copy, delete_comm, keyval, extra, ierr); OK
    call MPI_Comm_set_attr(comm, keyval, value, ierr); OK
    copies = 0
    call MPI_Comm_dup(comm, again, ierr); OK
    IS(copies, 1)
    call MPI_Comm_get_attr(again, keyval, value, flag, ierr); OK
    IS(flag, .false.)
    call MPI_Comm_free(again, ierr); OK
    call MPI_Comm_free(comm, ierr); OK
    call MPI_Comm_free_keyval(keyval, ierr); OK
  end subroutine

  subroutine predefined_callbacks()
    integer :: keyval, other
    integer(kind=MPI_ADDRESS_KIND) :: value, extra
    logical :: flag
    HANDLE(MPI_Comm) :: comm
    HANDLE(MPI_Comm) :: again
    extra = 0
    call MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, keyval, extra, ierr); OK
    call MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, delete_comm, other, extra, ierr); OK
    call MPI_Comm_dup(MPI_COMM_SELF, comm, ierr); OK
    value = 99
    call MPI_Comm_set_attr(comm, keyval, value, ierr); OK
    call MPI_Comm_set_attr(comm, other, value, ierr); OK
    call MPI_Comm_dup(comm, again, ierr); OK
    value = 0
    call MPI_Comm_get_attr(again, keyval, value, flag, ierr); OK
    IS(flag, .true.)
    IS(value, 99)
    call MPI_Comm_get_attr(again, other, value, flag, ierr); OK
    IS(flag, .false.)
    deletes = 0
    call MPI_Comm_free(again, ierr); OK
    IS(deletes, 0)
    call MPI_Comm_free(comm, ierr); OK
    IS(deletes, 1)
    call MPI_Comm_free_keyval(keyval, ierr); OK
    call MPI_Comm_free_keyval(other, ierr); OK
  end subroutine

  subroutine type_attributes()
    integer :: keyval
    integer(kind=MPI_ADDRESS_KIND) :: value, extra
    logical :: flag
    HANDLE(MPI_Datatype) :: type
    HANDLE(MPI_Datatype) :: again
    extra = -8
    call MPI_Type_create_keyval(copy_type, delete_type, keyval, extra, ierr); OK
    call MPI_Type_contiguous(2, MPI_REAL, type, ierr); OK
    value = 21
    call MPI_Type_set_attr(type, keyval, value, ierr); OK
    copies = 0; deletes = 0
    call MPI_Type_dup(type, again, ierr); OK
    IS(copies, 1)
    TRUE(seen_type == type)
    IS(seen_extra, -8)
    call MPI_Type_get_attr(again, keyval, value, flag, ierr); OK
    IS(flag, .true.)
    IS(value, 42)
    call MPI_Type_free(again, ierr); OK
    IS(deletes, 1)
    IS(deleted, 42)
    call MPI_Type_delete_attr(type, keyval, ierr); OK
    IS(deleted, 21)
    call MPI_Type_free(type, ierr); OK
    call MPI_Type_free_keyval(keyval, ierr); OK
    IS(keyval, MPI_KEYVAL_INVALID)
    call MPI_Type_create_keyval(MPI_TYPE_DUP_FN, MPI_TYPE_NULL_DELETE_FN, keyval, extra, ierr); OK
    call MPI_Type_free_keyval(keyval, ierr); OK
    call MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, delete_type, keyval, extra, ierr); OK
    call MPI_Type_free_keyval(keyval, ierr); OK
  end subroutine

  subroutine predefined_attributes()
    integer(kind=MPI_ADDRESS_KIND) :: value
    logical :: flag
    call MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, value, flag, ierr); OK
    IS(flag, .true.)
    TRUE(value >= 32767)
    call host_note('MPI_TAG_UB', int(value))
    call MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_WTIME_IS_GLOBAL, value, flag, ierr); OK
    IS(flag, .true.)
    TRUE(value == 0 .or. value == 1)
    call MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_UNIVERSE_SIZE, value, flag, ierr); OK
    if (flag) then; TRUE(value >= 1); end if
    call MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_APPNUM, value, flag, ierr); OK
    if (flag) then; IS(value, 0); end if
    call MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_HOST, value, flag, ierr); OK
    if (flag) then; IS(value, MPI_PROC_NULL); end if
    call MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_IO, value, flag, ierr); OK
    if (flag) then; TRUE(value == MPI_ANY_SOURCE .or. value == me); end if
    call MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_LASTUSEDCODE, value, flag, ierr); OK
    IS(flag, .true.)
    TRUE(value >= MPI_ERR_LASTCODE)
  end subroutine

#if INTERFACE != 2008
  subroutine old_attributes()
    integer :: keyval, value
    integer(kind=MPI_ADDRESS_KIND) :: wide
    logical :: flag
    integer :: comm, again
    call MPI_Keyval_create(copy_old, delete_old, keyval, 4321, ierr); OK
    call MPI_Comm_dup(MPI_COMM_WORLD, comm, ierr); OK
    call MPI_Attr_get(comm, keyval, value, flag, ierr); OK
    IS(flag, .false.)
    call MPI_Attr_put(comm, keyval, -17, ierr); OK
    value = 0
    call MPI_Attr_get(comm, keyval, value, flag, ierr); OK
    IS(flag, .true.)
    IS(value, -17)
    ! Both ways of reading see one attribute, with its sign.
    call MPI_Comm_get_attr(comm, keyval, wide, flag, ierr); OK
    IS(wide, -17)
    copies = 0; deletes = 0
    call MPI_Comm_dup(comm, again, ierr); OK
    IS(copies, 1)
    IS(seen_extra, 4321)
    IS(seen_keyval, keyval)
    TRUE(seen_comm == comm)
    call MPI_Attr_get(again, keyval, value, flag, ierr); OK
    IS(value, -16)
    call MPI_Comm_free(again, ierr); OK
    IS(deletes, 1)
    IS(deleted, -16)
    IS(seen_extra, 4321)
    call MPI_Attr_delete(comm, keyval, ierr); OK
    IS(deletes, 2)
    call MPI_Comm_free(comm, ierr); OK
    call MPI_Keyval_free(keyval, ierr); OK
    IS(keyval, MPI_KEYVAL_INVALID)
    call MPI_Keyval_create(MPI_DUP_FN, MPI_NULL_DELETE_FN, keyval, 0, ierr); OK
    call MPI_Comm_dup(MPI_COMM_SELF, comm, ierr); OK
    call MPI_Attr_put(comm, keyval, 5, ierr); OK
    call MPI_Comm_dup(comm, again, ierr); OK
    call MPI_Attr_get(again, keyval, value, flag, ierr); OK
    IS(flag, .true.)
    IS(value, 5)
    call MPI_Comm_free(again, ierr); OK
    call MPI_Comm_free(comm, ierr); OK
    call MPI_Keyval_free(keyval, ierr); OK
    call MPI_Keyval_create(MPI_NULL_COPY_FN, delete_old, keyval, 0, ierr); OK
    call MPI_Keyval_free(keyval, ierr); OK
    call MPI_Attr_get(MPI_COMM_WORLD, MPI_TAG_UB, value, flag, ierr); OK
    IS(flag, .true.)
    TRUE(value >= 32767)
  end subroutine
#endif

  ! Attributes of MPI_COMM_SELF are deleted when MPI_Finalize begins, the last set first.
  subroutine attributes_at_the_end()
    integer :: keyval
    integer(kind=MPI_ADDRESS_KIND) :: value, extra
    extra = 0
    call MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, at_the_end, keyval, extra, ierr); OK
    value = 1
    call MPI_Comm_set_attr(MPI_COMM_SELF, keyval, value, ierr); OK
  end subroutine
end program
