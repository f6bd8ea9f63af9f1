! SPDX-License-Identifier: BSD-3-Clause
! Support of the programs that fortran.py makes: what prints is in C (support_fortran.c), and gets handles as integers.
#include "../fortran/check.h"
#undef OK
#define OK call f_ok(ierr, __LINE__)

module support
  USE_MPI
  use, intrinsic :: iso_c_binding
  implicit none
  MPIF_H
  private
  public :: f_ok, f_at, f_fill, f_fill_ints, f_say_bytes, f_say_ints, f_say_number, f_say_text, f_say_flag, f_avoids, f_wait, f_say_comm, &
    f_say_type, f_say_group, f_say_info, f_say_win, f_say_win_name, f_say_file, f_say_session, f_say_address, &
    say_callbacks, forget_callbacks, say_attribute, exchange, add_modulo, copy_value, delete_value, wrong_types, state, c_null_char
  integer :: copies = 0, deletes = 0, wrong_types = 0
  integer(kind=MPI_ADDRESS_KIND) :: state = 12345678901_8
  interface
    subroutine f_ok(code, line) bind(C)
      import
      integer(c_int), value :: code, line
    end subroutine
    subroutine f_at(step) bind(C)
      import
      integer(c_int), value :: step
    end subroutine
    subroutine f_fill(memory, size, seed) bind(C)
      import
      integer(kind=1) :: memory(*)
      integer(c_int), value :: size, seed
    end subroutine
    subroutine f_fill_ints(numbers, count, seed) bind(C)
      import
      integer(c_int) :: numbers(*)
      integer(c_int), value :: count, seed
    end subroutine
    subroutine f_say_bytes(label, memory, size) bind(C)
      import
      character(kind=c_char) :: label(*)
      integer(kind=1) :: memory(*)
      integer(c_int), value :: size
    end subroutine
    subroutine f_say_ints(label, numbers, count) bind(C)
      import
      character(kind=c_char) :: label(*)
      integer(c_int) :: numbers(*)
      integer(c_int), value :: count
    end subroutine
    subroutine f_say_number(label, number) bind(C)
      import
      character(kind=c_char) :: label(*)
      integer(c_int), value :: number
    end subroutine
    subroutine f_say_address(label, number) bind(C)
      import
      character(kind=c_char) :: label(*)
      integer(c_intptr_t), value :: number
    end subroutine
    subroutine f_say_text(text, length) bind(C)
      import
      character(kind=c_char) :: text(*)
      integer(c_int), value :: length
    end subroutine
    integer(c_int) function f_avoids(check) bind(C)
      import
      character(kind=c_char) :: check(*)
    end function
    subroutine f_wait(request, left) bind(C)
      import
      integer(c_int) :: request, left
    end subroutine
#define SAYS(what) \
    subroutine what(label, object) bind(C) ;\
      import ;\
      character(kind=c_char) :: label(*) ;\
      integer(c_int), value :: object ;\
    end subroutine
    SAYS(f_say_comm)
    SAYS(f_say_type)
    SAYS(f_say_group)
    SAYS(f_say_info)
    SAYS(f_say_win)
    SAYS(f_say_win_name)
    SAYS(f_say_file)
    SAYS(f_say_session)
  end interface
contains
  ! Also whether a logical is one of the compiler's own two values.
  subroutine f_say_flag(label, flag)
    character(len=*), intent(in) :: label
    logical, intent(in) :: flag
    call f_say_number(label, transfer(flag, 1))
  end subroutine

  subroutine say_callbacks()
    call f_say_number('copied'//c_null_char, copies)
    call f_say_number('deleted'//c_null_char, deletes)
    call forget_callbacks()
  end subroutine

  ! Of a communicator that the MPI has duplicated for itself.
  subroutine forget_callbacks()
    copies = 0
    deletes = 0
  end subroutine

  subroutine say_attribute(comm, keyval)
    HANDLE(MPI_Comm), intent(in) :: comm
    integer, intent(in) :: keyval
    integer(kind=MPI_ADDRESS_KIND) :: value
    logical :: found
    integer :: ierr
    value = -5
    call MPI_Comm_get_attr(comm, keyval, value, found, ierr)
    OK
    call f_say_flag('found'//c_null_char, found)
    if (found) call f_say_address('attribute'//c_null_char, value)
  end subroutine

  ! Messages of a thread on a communicator of its own; SUM is of what came.
  subroutine exchange(comm, how, thread, turns, places, sum)
    HANDLE(MPI_Comm), intent(in) :: comm
    character(len=*), intent(in) :: how
    integer, intent(in) :: thread, turns, places
    integer, intent(out) :: sum
    integer ASYNCHRONOUS_ATTRIBUTE :: out(4), in(4)
    HANDLE(MPI_Datatype) :: pair
    HANDLE(MPI_Request) :: requests(2)
    integer :: rank, size, to, from, turn, left, ierr
    sum = 0
    in = 0
    call MPI_Comm_rank(comm, rank, ierr); OK
    call MPI_Comm_size(comm, size, ierr); OK
    call MPI_Type_contiguous(2, MPI_INTEGER, pair, ierr); OK
    call MPI_Type_commit(pair, ierr); OK
    to = mod(rank + places, size)
    from = mod(rank + 4 * size - places, size)
    do turn = 1, turns
      call f_fill_ints(out, 4, 100 * thread + 10 * rank + turn)
      select case (how)
      case ('sendrecv')
        call MPI_Sendrecv(out, 2, pair, to, turn, in, 2, pair, from, turn, comm, MPI_STATUS_IGNORE, ierr); OK
      case ('allreduce')
        call MPI_Allreduce(out, in, 4, MPI_INTEGER, MPI_SUM, comm, ierr); OK
      case default
        call MPI_Irecv(in, 2, pair, from, turn, comm, requests(1), ierr); OK
        call MPI_Isend(out, 2, pair, to, turn, comm, requests(2), ierr); OK
        if (how == 'in C') then
          call f_wait(VALUE_OF(requests(1)), left)
          call MPI_Wait(requests(2), MPI_STATUS_IGNORE, ierr); OK
        else
          call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, ierr); OK
        end if
      end select
      sum = mod(sum * 31 + in(1) + 2 * in(4), 1000003)
    end do
    call MPI_Type_free(pair, ierr); OK
  end subroutine

  subroutine add_modulo(in, out, count, type)
    use, intrinsic :: iso_c_binding
#if INTERFACE == 2008
    type(c_ptr), value :: in, out
    integer, pointer :: from(:), to(:)
#else
    integer :: in(*), out(*)
#endif
    integer :: count, i
    HANDLE(MPI_Datatype) :: type
    if (type /= MPI_INTEGER) wrong_types = wrong_types + 1
#if INTERFACE == 2008
    call c_f_pointer(in, from, [count])
    call c_f_pointer(out, to, [count])
    do i = 1, count
      to(i) = mod(from(i) + to(i), 1009)
    end do
#else
    do i = 1, count
      out(i) = mod(in(i) + out(i), 1009)
    end do
#endif
  end subroutine

  subroutine copy_value(comm, keyval, extra, in, out, flag, ierr)
    HANDLE(MPI_Comm) :: comm
    integer :: keyval, ierr
    integer(kind=MPI_ADDRESS_KIND) :: extra, in, out
    logical :: flag
    copies = copies + 1
    out = in + 1
    flag = .true.
    ierr = MPI_SUCCESS
  end subroutine

  subroutine delete_value(comm, keyval, value, extra, ierr)
    HANDLE(MPI_Comm) :: comm
    integer :: keyval, ierr
    integer(kind=MPI_ADDRESS_KIND) :: value, extra
    deletes = deletes + 1
    ierr = MPI_SUCCESS
  end subroutine
end module
