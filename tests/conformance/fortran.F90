! SPDX-License-Identifier: BSD-3-Clause
!
! Observes in Fortran the work of the bindings themselves: handlers, attribute callbacks, operations of the program's, statuses,
! strings, logicals, and arguments that stand for none. Prints a line for each call, as the programs in C do.
#include "check.h"
#define SEE(label) call see(label, ierr)
#define BEGIN observed = ' '

module observations
  USE_MPI
  implicit none
  MPIF_H
  character(len=2000) :: observed = ' '
  HANDLE(MPI_Comm) :: duplicate
  HANDLE(MPI_File) :: file
  HANDLE(MPI_Win) :: win
  integer :: keyvals(3), refused = 0
contains
  subroutine note(text)
    character(len=*), intent(in) :: text
    observed = trim(observed)//' '//text
  end subroutine

  subroutine note_integer(text, value)
    character(len=*), intent(in) :: text
    integer, intent(in) :: value
    character(len=12) :: digits
    write(digits, '(i0)') value
    call note(text//' '//trim(digits))
  end subroutine

  subroutine note_address(text, value)
    character(len=*), intent(in) :: text
    integer(kind=MPI_ADDRESS_KIND), intent(in) :: value
    call note_integer(text, int(value))
  end subroutine

  ! Also whether it is one of the compiler's own two values.
  subroutine note_logical(text, value)
    character(len=*), intent(in) :: text
    logical, intent(in) :: value
    if (transfer(value, 1) == transfer(.true., 1)) then
      call note(text//' true')
    else if (transfer(value, 1) == transfer(.false., 1)) then
      call note(text//' false')
    else
      call note(text//' neither')
    end if
  end subroutine

  function class_of(code) result(name)
    integer, intent(in) :: code
    character(len=:), allocatable :: name
    integer :: class, ierr
    call MPI_Error_class(code, class, ierr)
#define CLASS(which) if (class == which) name = 'which'
    name = 'another class'
    CLASS(MPI_SUCCESS)
    CLASS(MPI_ERR_BUFFER)
    CLASS(MPI_ERR_COUNT)
    CLASS(MPI_ERR_TYPE)
    CLASS(MPI_ERR_TAG)
    CLASS(MPI_ERR_COMM)
    CLASS(MPI_ERR_RANK)
    CLASS(MPI_ERR_REQUEST)
    CLASS(MPI_ERR_ROOT)
    CLASS(MPI_ERR_GROUP)
    CLASS(MPI_ERR_OP)
    CLASS(MPI_ERR_TOPOLOGY)
    CLASS(MPI_ERR_DIMS)
    CLASS(MPI_ERR_ARG)
    CLASS(MPI_ERR_UNKNOWN)
    CLASS(MPI_ERR_TRUNCATE)
    CLASS(MPI_ERR_OTHER)
    CLASS(MPI_ERR_INTERN)
    CLASS(MPI_ERR_IN_STATUS)
    CLASS(MPI_ERR_PENDING)
    CLASS(MPI_ERR_KEYVAL)
    CLASS(MPI_ERR_INFO_KEY)
    CLASS(MPI_ERR_INFO_NOKEY)
    CLASS(MPI_ERR_INFO_VALUE)
    CLASS(MPI_ERR_INFO)
    CLASS(MPI_ERR_FILE)
    CLASS(MPI_ERR_NO_SUCH_FILE)
    CLASS(MPI_ERR_IO)
    CLASS(MPI_ERR_AMODE)
    CLASS(MPI_ERR_WIN)
    CLASS(MPI_ERR_RMA_SYNC)
    CLASS(MPI_ERR_RMA_RANGE)
    CLASS(MPI_ERR_NAME)
    CLASS(MPI_ERR_PORT)
    CLASS(MPI_ERR_SERVICE)
    CLASS(MPI_ERR_UNSUPPORTED_OPERATION)
  end function

  subroutine see(label, code)
    character(len=*), intent(in) :: label
    integer, intent(in) :: code
    print '(5a)', label, char(9), class_of(code), trim(observed)
    flush(6)
    observed = ' '
  end subroutine

  function name_of(comm) result(name)
    HANDLE(MPI_Comm), intent(in) :: comm
    character(len=:), allocatable :: name
    name = 'another'
    if (comm == MPI_COMM_WORLD) name = 'WORLD'
    if (comm == MPI_COMM_SELF) name = 'SELF'
    if (comm == MPI_COMM_NULL) name = 'NULL'
    if (comm == duplicate) name = 'duplicate'
  end function

  subroutine on_comm(comm, code)
    HANDLE(MPI_Comm) :: comm
    integer :: code
    call note('comm '//name_of(comm)//': '//class_of(code))
  end subroutine

  subroutine on_file(of, code)
    HANDLE(MPI_File) :: of
    integer :: code
    call note('file: '//class_of(code))
  end subroutine

  subroutine on_win(of, code)
    HANDLE(MPI_Win) :: of
    integer :: code
    if (of == win) call note('the')
    call note('window: '//class_of(code))
  end subroutine

  integer function number_of(keyval)
    integer, intent(in) :: keyval
    integer :: i
    number_of = 0
    do i = 1, 3
      if (keyvals(i) == keyval) number_of = i
    end do
  end function

  subroutine copy_comm(oldcomm, comm_keyval, extra_state, attribute_val_in, attribute_val_out, flag, ierror)
    HANDLE(MPI_Comm) :: oldcomm
    integer :: comm_keyval, ierror
    integer(kind=MPI_ADDRESS_KIND) :: extra_state, attribute_val_in, attribute_val_out
    logical :: flag
    call note('copy of '//name_of(oldcomm))
    call note_integer('keyval', number_of(comm_keyval))
    call note_address('state', extra_state)
    call note_address('value', attribute_val_in)
    attribute_val_out = attribute_val_in + 1
    flag = number_of(comm_keyval) /= 2
    ierror = MPI_SUCCESS
    if (number_of(comm_keyval) == refused) ierror = MPI_ERR_INTERN
  end subroutine

  subroutine delete_comm(comm, comm_keyval, attribute_val, extra_state, ierror)
    HANDLE(MPI_Comm) :: comm
    integer :: comm_keyval, ierror
    integer(kind=MPI_ADDRESS_KIND) :: extra_state, attribute_val
    call note_integer('delete of keyval', number_of(comm_keyval))
    call note_address('state', extra_state)
    call note_address('value', attribute_val)
    ierror = MPI_SUCCESS
    if (number_of(comm_keyval) == refused) ierror = MPI_ERR_INTERN
  end subroutine
end module

module operations
  use observations
  implicit none
contains
#if INTERFACE == 2008
  subroutine add(invec, inoutvec, len, datatype)
    use, intrinsic :: iso_c_binding
    type(c_ptr), value :: invec, inoutvec
    integer :: len
    type(MPI_Datatype) :: datatype
    integer, pointer :: from(:), to(:)
    call c_f_pointer(invec, from, [len])
    call c_f_pointer(inoutvec, to, [len])
    call note_integer('add', len)
    if (datatype == MPI_INTEGER) call note('of MPI_INTEGER')
    to = to + 10 * from
  end subroutine
#else
  subroutine add(from, to, len, datatype)
    integer :: len, datatype
    integer :: from(len), to(len)
    call note_integer('add', len)
    if (datatype == MPI_INTEGER) call note('of MPI_INTEGER')
    to = to + 10 * from
  end subroutine
#endif
end module

program fortran
  use operations
  implicit none
  integer :: ierr
  call MPI_Init(ierr)
  call MPI_Comm_dup(MPI_COMM_WORLD, duplicate, ierr)
  call handlers()
  call attributes()
  call reductions()
  call statuses()
  call strings()
  call logicals()
  call sentinels()
  call codes()
  call MPI_Comm_free(duplicate, ierr)
  call MPI_Finalize(ierr)
  print '(2a)', 'the end', char(9)
contains

  subroutine note_same(name, same)
    character(len=*), intent(in) :: name
    logical, intent(in) :: same
    if (same) then
      call note(name)
    else
      call note('another')
    end if
  end subroutine

  subroutine handlers()
    HANDLE(MPI_Errhandler) :: handler, got
    integer :: numbers(4), exposed(4)
    numbers = [1, 2, 3, 4]
    call MPI_Comm_get_errhandler(MPI_COMM_WORLD, got, ierr)
    call note_same('MPI_ERRORS_ARE_FATAL', got == MPI_ERRORS_ARE_FATAL)
    SEE('comm_get_errhandler at first')
    call MPI_Comm_create_errhandler(on_comm, handler, ierr)
    SEE('comm_create_errhandler')
    call MPI_Comm_set_errhandler(duplicate, handler, ierr)
    call MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler, ierr)
    call MPI_Comm_set_errhandler(MPI_COMM_SELF, handler, ierr)
    SEE('comm_set_errhandler')
    call MPI_Comm_get_errhandler(duplicate, got, ierr)
    call note_same('the same', got == handler)
    SEE('comm_get_errhandler')
    call MPI_Errhandler_free(got, ierr)
    call MPI_Errhandler_free(handler, ierr)
    call note_same('null', handler == MPI_ERRHANDLER_NULL)
    SEE('errhandler_free')
    call MPI_Send(numbers, 1, MPI_INTEGER, 7, 0, duplicate, ierr)
    SEE('send to a rank too large')
    call MPI_Send(numbers, 1, MPI_INTEGER, MPI_ANY_SOURCE, 0, duplicate, ierr)
    SEE('send to any')
    call MPI_Send(numbers, 1, MPI_INTEGER, 0, -5, duplicate, ierr)
    SEE('send with a negative tag')
    call MPI_Send(numbers, -1, MPI_INTEGER, 0, 0, duplicate, ierr)
    SEE('send of a negative count')
    call MPI_Bcast(numbers, 1, MPI_INTEGER, 5, MPI_COMM_SELF, ierr)
    SEE('bcast from a bad root')
    call MPI_Comm_call_errhandler(duplicate, MPI_ERR_TOPOLOGY, ierr)
    SEE('comm_call_errhandler')
#if INTERFACE == 2008
    call MPI_Send(numbers, 1, MPI_INTEGER, 7, 0, duplicate)
    SEE('without ierror')
#endif
    call MPI_File_create_errhandler(on_file, handler, ierr)
    SEE('file_create_errhandler')
    call MPI_File_open(MPI_COMM_SELF, 'fortran.file', MPI_MODE_CREATE + MPI_MODE_RDWR + MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, file, ierr)
    SEE('file_open')
    call MPI_File_get_errhandler(file, got, ierr)
    call note_same('MPI_ERRORS_RETURN', got == MPI_ERRORS_RETURN)
    SEE('file_get_errhandler at first')
    call MPI_File_set_errhandler(file, handler, ierr)
    SEE('file_set_errhandler')
    call MPI_File_write(file, numbers, -1, MPI_INTEGER, MPI_STATUS_IGNORE, ierr)
    SEE('file_write of a negative count')
    call MPI_File_call_errhandler(file, MPI_ERR_IO, ierr)
    SEE('file_call_errhandler')
    call MPI_File_close(file, ierr)
    call note_same('null', file == MPI_FILE_NULL)
    SEE('file_close')
    call MPI_Errhandler_free(handler, ierr)
    call MPI_Win_create_errhandler(on_win, handler, ierr)
    SEE('win_create_errhandler')
    call MPI_Win_create(exposed, 16_MPI_ADDRESS_KIND, 4, MPI_INFO_NULL, MPI_COMM_SELF, win, ierr)
    SEE('win_create')
    call MPI_Win_set_errhandler(win, handler, ierr)
    SEE('win_set_errhandler')
    call MPI_Win_unlock(0, win, ierr)
    SEE('win_unlock without a lock')
    call MPI_Win_call_errhandler(win, MPI_ERR_RMA_RANGE, ierr)
    SEE('win_call_errhandler')
    call MPI_Win_free(win, ierr)
    call note_same('null', win == MPI_WIN_NULL)
    SEE('win_free')
    call MPI_Errhandler_free(handler, ierr)
  end subroutine

  subroutine attributes()
    HANDLE(MPI_Comm) :: made
    HANDLE(MPI_Datatype) :: type
    integer(kind=MPI_ADDRESS_KIND) :: value
    integer :: i, keyval
    logical :: flag
    call MPI_Comm_set_errhandler(duplicate, MPI_ERRORS_RETURN, ierr)
    do i = 1, 3
      call MPI_Comm_create_keyval(copy_comm, delete_comm, keyvals(i), int(100 + i, MPI_ADDRESS_KIND), ierr)
      call MPI_Comm_set_attr(duplicate, keyvals(i), int(10 * i, MPI_ADDRESS_KIND), ierr)
    end do
    call MPI_Comm_dup(duplicate, made, ierr)
    SEE('dup copies')
    do i = 1, 3
      value = -7
      call MPI_Comm_get_attr(made, keyvals(i), value, flag, ierr)
      call note_logical('flag', flag)
      if (flag) call note_address('value', value)
    end do
    SEE('get_attr of what was copied')
    call MPI_Comm_free(made, ierr)
    call note_same('null', made == MPI_COMM_NULL)
    SEE('comm_free deletes')
    call MPI_Comm_set_attr(duplicate, keyvals(1), -1_MPI_ADDRESS_KIND, ierr)
    SEE('set_attr again')
    call MPI_Comm_get_attr(duplicate, keyvals(1), value, flag, ierr)
    call note_address('value', value)
    SEE('get_attr of a negative value')
    refused = 1
    call MPI_Comm_dup(duplicate, made, ierr)
    SEE('dup that a function refuses')
    refused = 3
    call MPI_Comm_delete_attr(duplicate, keyvals(3), ierr)
    SEE('delete_attr that a function refuses')
    refused = 0
    do i = 1, 3
      call MPI_Comm_delete_attr(duplicate, keyvals(i), ierr)
    end do
    SEE('delete_attr')
    call MPI_Comm_get_attr(duplicate, keyvals(1), value, flag, ierr)
    call note_logical('flag', flag)
    SEE('get_attr of none')
    keyval = keyvals(1)
    call MPI_Comm_free_keyval(keyval, ierr)
    call note_same('MPI_KEYVAL_INVALID', keyval == MPI_KEYVAL_INVALID)
    SEE('comm_free_keyval')
    call MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, keyval, 0_MPI_ADDRESS_KIND, ierr)
    call MPI_Comm_set_attr(duplicate, keyval, 77_MPI_ADDRESS_KIND, ierr)
    call MPI_Comm_dup(duplicate, made, ierr)
    call MPI_Comm_get_attr(made, keyval, value, flag, ierr)
    call note_logical('flag', flag)
    if (flag) call note_address('value', value)
    SEE('MPI_COMM_DUP_FN')
    call MPI_Comm_free(made, ierr)
    call MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, value, flag, ierr)
    call note_logical('flag', flag)
    call note_logical('large enough', value >= 32767)
    SEE('MPI_TAG_UB')
    call MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_HOST, value, flag, ierr)
    call note_logical('flag', flag)
    call note_logical('MPI_PROC_NULL', value == MPI_PROC_NULL)
    SEE('MPI_HOST')
    call MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_IO, value, flag, ierr)
    call note_logical('flag', flag)
    call note_logical('MPI_ANY_SOURCE', value == MPI_ANY_SOURCE)
    SEE('MPI_IO')
    call MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_WTIME_IS_GLOBAL, value, flag, ierr)
    call note_logical('flag', flag)
    call note_address('value', value)
    SEE('MPI_WTIME_IS_GLOBAL')
    call MPI_Type_create_keyval(MPI_TYPE_DUP_FN, MPI_TYPE_NULL_DELETE_FN, keyval, 0_MPI_ADDRESS_KIND, ierr)
    call MPI_Type_dup(MPI_INTEGER, type, ierr)
    call MPI_Type_set_attr(type, keyval, 5_MPI_ADDRESS_KIND, ierr)
    call MPI_Type_get_attr(type, keyval, value, flag, ierr)
    call note_logical('flag', flag)
    call note_address('value', value)
    SEE('type_get_attr')
    call MPI_Type_free(type, ierr)
#if INTERFACE != 2008
    call old_attributes()
#endif
  end subroutine

#if INTERFACE != 2008
  subroutine old_attributes()
    integer :: keyval, value
    logical :: flag
    call MPI_Keyval_create(MPI_NULL_COPY_FN, MPI_NULL_DELETE_FN, keyval, 5, ierr)
    SEE('keyval_create')
    call MPI_Attr_put(duplicate, keyval, -3, ierr)
    SEE('attr_put')
    call MPI_Attr_get(duplicate, keyval, value, flag, ierr)
    call note_logical('flag', flag)
    call note_integer('value', value)
    SEE('attr_get')
    call MPI_Attr_get(MPI_COMM_WORLD, MPI_TAG_UB, value, flag, ierr)
    call note_logical('flag', flag)
    call note_logical('large enough', value >= 32767)
    SEE('attr_get of MPI_TAG_UB')
    call MPI_Attr_delete(duplicate, keyval, ierr)
    SEE('attr_delete')
    call MPI_Keyval_free(keyval, ierr)
    call note_same('MPI_KEYVAL_INVALID', keyval == MPI_KEYVAL_INVALID)
    SEE('keyval_free')
  end subroutine
#endif

  subroutine reductions()
    HANDLE(MPI_Op) :: op
    integer :: from(2), to(2)
    logical :: commutes
    from = [1, 2]
    to = [3, 4]
    call MPI_Op_create(add, .false., op, ierr)
    SEE('op_create')
    call MPI_Op_commutative(op, commutes, ierr)
    call note_logical('commutes', commutes)
    SEE('op_commutative')
    call MPI_Op_commutative(MPI_SUM, commutes, ierr)
    call note_logical('commutes', commutes)
    SEE('op_commutative of MPI_SUM')
    call MPI_Reduce_local(from, to, 2, MPI_INTEGER, op, ierr)
    call note_integer('to', to(1))
    call note_integer('and', to(2))
    SEE('reduce_local')
    call MPI_Allreduce(MPI_IN_PLACE, to, 2, MPI_INTEGER, op, MPI_COMM_SELF, ierr)
    call note_integer('to', to(1))
    SEE('allreduce in place, alone')
    call MPI_Op_free(op, ierr)
    call note_same('null', op == MPI_OP_NULL)
    SEE('op_free')
    op = MPI_SUM
    call MPI_Op_free(op, ierr)
    call note_same('as it was', op == MPI_SUM)
    SEE('op_free of MPI_SUM')
  end subroutine

  ! Leaves out of a status whether something was cancelled: after a probe MPICH leaves that unchanged.
  subroutine note_message(status)
    STATUS(status)
    integer :: count, code
    call note_same('from MPI_ANY_SOURCE', FIELD(status, MPI_SOURCE) == MPI_ANY_SOURCE)
    if (FIELD(status, MPI_SOURCE) >= 0) call note_integer('from', FIELD(status, MPI_SOURCE))
    call note_same('tag MPI_ANY_TAG', FIELD(status, MPI_TAG) == MPI_ANY_TAG)
    if (FIELD(status, MPI_TAG) >= 0) call note_integer('tag', FIELD(status, MPI_TAG))
    call MPI_Get_count(status, MPI_INTEGER, count, code)
    call note_integer('count', count)
  end subroutine

  subroutine note_status(status)
    STATUS(status)
    integer :: code
    logical :: cancelled
    call note_message(status)
    call MPI_Test_cancelled(status, cancelled, code)
    call note_logical('cancelled', cancelled)
  end subroutine

  subroutine statuses()
    STATUS(status)
    STATUSES(all, 2)
    HANDLE(MPI_Request) :: requests(2)
    integer :: numbers(4), more(4), index, count, indices(2), i
    logical :: flag
    numbers = [1, 2, 3, 4]
    call MPI_Comm_set_errhandler(duplicate, MPI_ERRORS_RETURN, ierr)
    call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN, ierr)
    call MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN, ierr)
    call MPI_Irecv(more, 4, MPI_INTEGER, MPI_ANY_SOURCE, MPI_ANY_TAG, duplicate, requests(1), ierr)
    call MPI_Isend(numbers, 3, MPI_INTEGER, 0, 8, duplicate, requests(2), ierr)
    call MPI_Waitall(2, requests, all, ierr)
    status = STATUS_AT(all, 1)
    call note_status(status)
    call note_logical('null', all_null(requests))
    SEE('waitall')
    call MPI_Recv(more, 4, MPI_INTEGER, MPI_PROC_NULL, 3, duplicate, status, ierr)
    call note_logical('MPI_PROC_NULL', FIELD(status, MPI_SOURCE) == MPI_PROC_NULL)
    call note_status(status)
    SEE('recv of no process')
    call MPI_Wait(requests(1), status, ierr)
    call note_status(status)
    SEE('wait for the null request')
    index = 99
    call MPI_Waitany(2, requests, index, status, ierr)
    call note_status(status)
    SEE('waitany of none')
    call MPI_Waitsome(2, requests, count, indices, all, ierr)
    call note_logical('undefined', count == MPI_UNDEFINED)
    SEE('waitsome of none')
    call MPI_Irecv(more, 4, MPI_INTEGER, 0, 9, duplicate, requests(1), ierr)
    call MPI_Cancel(requests(1), ierr)
    SEE('cancel')
    call MPI_Wait(requests(1), status, ierr)
    call MPI_Test_cancelled(status, flag, i)
    call note_logical('cancelled', flag)
    SEE('wait for a cancelled receive')
    call MPI_Isend(numbers, 2, MPI_INTEGER, 0, 5, duplicate, requests(1), ierr)
    call MPI_Iprobe(0, 5, duplicate, flag, status, ierr)
    do while (.not. flag)
      call MPI_Iprobe(0, 5, duplicate, flag, status, ierr)
    end do
    call note_message(status)
    call note_logical('flag', flag)
    SEE('iprobe')
    call MPI_Recv(more, 4, MPI_INTEGER, 0, 5, duplicate, MPI_STATUS_IGNORE, ierr)
    SEE('recv without a status')
    call MPI_Wait(requests(1), MPI_STATUS_IGNORE, ierr)
    call MPI_Isend(numbers, 1, MPI_INTEGER, 0, 6, duplicate, requests(1), ierr)
    call MPI_Irecv(more, 1, MPI_INTEGER, 0, 6, duplicate, requests(2), ierr)
    call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, ierr)
    SEE('waitall without statuses')
    call MPI_Status_set_elements(status, MPI_INTEGER, 7, ierr)
    call MPI_Status_set_cancelled(status, .true., i)
    call note_status(status)
    SEE('status_set_elements and _cancelled')
    call MPI_Get_count(status, MPI_DOUBLE_PRECISION, count, ierr)
    call note_logical('undefined', count == MPI_UNDEFINED)
    SEE('get_count that does not divide')
  end subroutine

  logical function all_null(requests)
    HANDLE(MPI_Request), intent(in) :: requests(:)
    integer :: i
    all_null = .true.
    do i = 1, size(requests)
      if (requests(i) /= MPI_REQUEST_NULL) all_null = .false.
    end do
  end function

  subroutine strings()
    character(len=MPI_MAX_OBJECT_NAME) :: name
    character(len=5) :: short
    character(len=60) :: value
    character(len=MPI_MAX_INFO_KEY) :: key
    HANDLE(MPI_Info) :: info
    integer :: length, count
    logical :: flag
    name = repeat('x', len(name))
    call MPI_Comm_get_name(MPI_COMM_WORLD, name, length, ierr)
    call note("'"//trim(name)//"'")
    call note_integer('length', length)
    call note_integer('trimmed', len_trim(name))
    SEE('comm_get_name')
    call MPI_Comm_set_name(duplicate, '  a name  ', ierr)
    call MPI_Comm_get_name(duplicate, name, length, ierr)
    call note("'"//trim(name)//"'")
    call note_integer('length', length)
    SEE('comm_set_name')
    call MPI_Comm_set_name(duplicate, '   ', ierr)
    call MPI_Comm_get_name(duplicate, name, length, ierr)
    call note_integer('length', length)
    SEE('comm_set_name of blanks')
    call MPI_Type_get_name(MPI_DOUBLE_PRECISION, name, length, ierr)
    call note("'"//trim(name)//"'")
    SEE('type_get_name')
    call MPI_Info_create(info, ierr)
    call MPI_Info_set(info, '  a key ', '  a value ', ierr)
    SEE('info_set')
    value = repeat('x', len(value))
    call MPI_Info_get(info, 'a key', len(value), value, flag, ierr)
    call note("'"//trim(value)//"'")
    call note_logical('flag', flag)
    SEE('info_get')
    value = 'as it was'
    call MPI_Info_get(info, 'none', len(value), value, flag, ierr)
    call note("'"//trim(value)//"'")
    call note_logical('flag', flag)
    SEE('info_get of none')
    call MPI_Info_get_valuelen(info, 'a key', length, flag, ierr)
    call note_integer('length', length)
    call note_logical('flag', flag)
    SEE('info_get_valuelen')
    key = repeat('x', len(key))
    call MPI_Info_get_nthkey(info, 0, key, ierr)
    call note("'"//trim(key)//"'")
    SEE('info_get_nthkey')
    call MPI_Info_get_nkeys(info, count, ierr)
    call note_integer('keys', count)
    SEE('info_get_nkeys')
    call MPI_Info_set(info, 'short', 'sh', ierr)
    short = 'xxxxx'
    call MPI_Info_get(info, 'short', 5, short, flag, ierr)
    call note("'"//short//"'")
    SEE('info_get into a short string')
    call MPI_Info_set(info, ' ', 'value', ierr)
    SEE('info_set of a blank key')
    call MPI_Info_set(info, 'blank', ' ', ierr)
    SEE('info_set of a blank value')
    call MPI_Info_delete(info, 'none', ierr)
    SEE('info_delete of none')
    call MPI_Info_free(info, ierr)
    call note_same('null', info == MPI_INFO_NULL)
    SEE('info_free')
  end subroutine

  subroutine logicals()
    HANDLE(MPI_Comm) :: cart, sub
    integer :: dims(2), coords(2), rank, i
    logical :: periods(2), got(2), flag
    dims = [1, 1]
    periods = [.true., .false.]
    call MPI_Cart_create(duplicate, 2, dims, periods, .false., cart, ierr)
    SEE('cart_create')
    call MPI_Cart_get(cart, 2, dims, got, coords, ierr)
    do i = 1, 2
      call note_logical('periodic', got(i))
    end do
    SEE('cart_get')
    call MPI_Cart_sub(cart, [.true., .false.], sub, ierr)
    SEE('cart_sub')
    call MPI_Cartdim_get(sub, i, ierr)
    call note_integer('dimensions', i)
    SEE('cartdim_get')
    call MPI_Cart_rank(cart, [3, 0], rank, ierr)
    call note_integer('rank', rank)
    SEE('cart_rank around')
    call MPI_Comm_test_inter(duplicate, flag, ierr)
    call note_logical('flag', flag)
    SEE('comm_test_inter')
    call MPI_Initialized(flag, ierr)
    call note_logical('flag', flag)
    SEE('initialized')
    call MPI_Finalized(flag, ierr)
    call note_logical('flag', flag)
    SEE('finalized')
    call MPI_Is_thread_main(flag, ierr)
    call note_logical('flag', flag)
    SEE('is_thread_main')
    call MPI_Comm_free(sub, ierr)
    call MPI_Comm_free(cart, ierr)
  end subroutine

  subroutine sentinels()
    HANDLE(MPI_Comm) :: dist, made
    HANDLE(MPI_Datatype) :: type
    integer :: numbers(2), more(2), at, to, one(1)
    integer(kind=MPI_ADDRESS_KIND) :: address
    logical :: weighted
    numbers = [5, 6]
    more = [0, 0]
    one = 0
    call MPI_Get_address(numbers, address, ierr)
    call MPI_Type_create_hindexed(1, [2], [address], MPI_INTEGER, type, ierr)
    call MPI_Type_commit(type, ierr)
    call MPI_Sendrecv(MPI_BOTTOM, 1, type, 0, 1, more, 2, MPI_INTEGER, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE, ierr)
    call note_integer('more', more(1))
    call note_integer('and', more(2))
    SEE('MPI_BOTTOM')
    call MPI_Type_free(type, ierr)
    call MPI_Gather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, more, 2, MPI_INTEGER, 0, MPI_COMM_SELF, ierr)
    SEE('gather in place')
    call MPI_Dist_graph_create_adjacent(MPI_COMM_SELF, 1, one, MPI_UNWEIGHTED, 1, one, MPI_UNWEIGHTED, MPI_INFO_NULL, .false., dist, ierr)
    SEE('MPI_UNWEIGHTED')
    call MPI_Dist_graph_neighbors_count(dist, at, to, weighted, ierr)
    call note_integer('at', at)
    call note_integer('to', to)
    call note_logical('weighted', weighted)
    SEE('dist_graph_neighbors_count')
    call MPI_Dist_graph_neighbors(dist, 1, one, MPI_UNWEIGHTED, 1, one, MPI_UNWEIGHTED, ierr)
    SEE('dist_graph_neighbors without weights')
    call MPI_Comm_free(dist, ierr)
    call MPI_Comm_split(duplicate, MPI_UNDEFINED, 0, made, ierr)
    call note_same('null', made == MPI_COMM_NULL)
    SEE('comm_split of none')
    call MPI_Comm_free(made, ierr)
    SEE('comm_free of the null communicator')
    call MPI_Comm_rank(MPI_COMM_NULL, at, ierr)
    SEE('comm_rank of the null communicator')
    call MPI_Type_size(MPI_DATATYPE_NULL, at, ierr)
    SEE('type_size of the null datatype')
  end subroutine

  subroutine codes()
    integer :: class, code, length, got
    character(len=MPI_MAX_ERROR_STRING) :: text
    call MPI_Add_error_class(class, ierr)
    call note_logical('beyond', class > MPI_ERR_LASTCODE)
    SEE('add_error_class')
    call MPI_Add_error_code(class, code, ierr)
    SEE('add_error_code')
    call MPI_Error_class(code, got, ierr)
    call note_logical('the class', got == class)
    SEE('error_class')
    call MPI_Add_error_string(code, ' a text of ours ', ierr)
    text = repeat('x', len(text))
    call MPI_Error_string(code, text, length, ierr)
    call note("'"//trim(text)//"'")
    call note_integer('length', length)
    SEE('error_string')
    text = repeat('x', len(text))
    call MPI_Error_string(MPI_ERR_COMM, text, length, ierr)
    call note_logical('trimmed', len_trim(text) == length)
    SEE("error_string of MPI's")
    call MPI_Comm_call_errhandler(duplicate, code, ierr)
    SEE('comm_call_errhandler that returns')
  end subroutine
end program
