! SPDX-License-Identifier: BSD-3-Clause
!
! Assertions for self-checking MPI programs in Fortran, and what makes one source a program for
! each of the three interfaces: it is compiled with -DINTERFACE=77 (mpif.h), 90 (use mpi) or 2008
! (use mpi_f08).  A failed check prints its line on stderr and the program goes on; check_end()
! turns failures of any rank into a non-zero exit code of every rank.
!
! A program, a module, or a procedure of neither that calls MPI begins with
!     USE_MPI
!     implicit none
!     MPIF_H
! HANDLE, STATUS and the other macros declare and read what differs.
!
! Lines that start with "host" say what depends on the MPI that runs; everything else a program
! prints is the same on all.

#if INTERFACE == 2008
#define USE_MPI use mpi_f08
#define MPIF_H
#elif INTERFACE == 90
#define USE_MPI use mpi
#define MPIF_H
#else
#define USE_MPI
#define MPIF_H include 'mpif.h'
#endif

#if INTERFACE == 2008
#define HANDLE(class) type(class)
#define STATUS(name) type(MPI_Status) :: name
#define STATUSES(name, n) type(MPI_Status) :: name(n)
#define FIELD(status, field) status%field
#define FIELD_AT(statuses, i, field) statuses(i)%field
#define STATUS_AT(statuses, i) statuses(i)
#define VALUE_OF(handle) handle%MPI_VAL
#else
#define HANDLE(class) integer
#define STATUS(name) integer :: name(MPI_STATUS_SIZE)
#define STATUSES(name, n) integer :: name(MPI_STATUS_SIZE, n)
#define FIELD(status, field) status(field)
#define FIELD_AT(statuses, i, field) statuses(field, i)
#define STATUS_AT(statuses, i) statuses(:, i)
#define VALUE_OF(handle) handle
#endif

! Of memory that MPI reads or writes later. Compilers may refuse it where interfaces are implicit.
#if INTERFACE == 77
#define ASYNCHRONOUS_ATTRIBUTE
#else
#define ASYNCHRONOUS_ATTRIBUTE , asynchronous
#endif

! Follow a call: it succeeded; it failed with this class.
#define OK call check_ok(ierr, __LINE__)
#define FAILS(class) call check_class(ierr, class, __LINE__)
#define TRUE(condition) call check_true(condition, __LINE__)
#define FALSE(condition) call check_true(.not. (condition), __LINE__)
#define IS(got, want) call check_is(got, want, __LINE__)
! An empty status: nothing was received from nobody. The program says whether MPI_ERROR may be anything.
#define EMPTY(status) call check_empty(status, any_error, __LINE__)

module checks
  use, intrinsic :: iso_fortran_env, only: error_unit
  USE_MPI
  implicit none
  MPIF_H
  private
  public :: check_begin, check_identify, check_end, check_ok, check_class, check_true, check_is, &
    check_empty, known_fault, note, host_note, me, processes

  integer :: done = 0, failures = 0
  integer, protected :: me = 0, processes = 0

  interface check_is
    module procedure check_i4_i4, check_i8_i8, check_i8_i4, check_i4_i8, check_string, check_logical
  end interface
  interface note
    module procedure note_integer, note_string, note_logical
  end interface
  interface host_note
    module procedure host_note_integer, host_note_string
  end interface

contains

  subroutine check_failed(line, what)
    integer, intent(in) :: line
    character(len=*), intent(in) :: what
    failures = failures + 1
    if (failures <= 20) write(error_unit, '(a,i0,a,i0,2a)') 'line ', line, ': rank ', me, ': ', what
  end subroutine

  subroutine check_true(condition, line)
    logical, intent(in) :: condition
    integer, intent(in) :: line
    done = done + 1
    if (.not. condition) call check_failed(line, 'is not so')
  end subroutine

  subroutine check_i8_i8(got, want, line)
    integer(kind=8), intent(in) :: got, want
    integer, intent(in) :: line
    character(len=80) :: what
    done = done + 1
    if (got == want) return
    write(what, '(2(a,i0))') 'expected ', want, ', got ', got
    call check_failed(line, trim(what))
  end subroutine

  subroutine check_i4_i4(got, want, line)
    integer(kind=4), intent(in) :: got, want
    integer, intent(in) :: line
    call check_i8_i8(int(got, 8), int(want, 8), line)
  end subroutine

  subroutine check_i8_i4(got, want, line)
    integer(kind=8), intent(in) :: got
    integer(kind=4), intent(in) :: want
    integer, intent(in) :: line
    call check_i8_i8(got, int(want, 8), line)
  end subroutine

  subroutine check_i4_i8(got, want, line)
    integer(kind=4), intent(in) :: got
    integer(kind=8), intent(in) :: want
    integer, intent(in) :: line
    call check_i8_i8(int(got, 8), want, line)
  end subroutine

  subroutine check_string(got, want, line)
    character(len=*), intent(in) :: got, want
    integer, intent(in) :: line
    done = done + 1
    if (got /= want) call check_failed(line, 'expected "'//want//'", got "'//got//'"')
  end subroutine

  ! Also that a logical has one of the compiler's own two values: other ones look true and false.
  subroutine check_logical(got, want, line)
    logical, intent(in) :: got, want
    integer, intent(in) :: line
    character(len=80) :: what
    done = done + 1
    if (transfer(got, 1) == transfer(want, 1)) return
    write(what, '(2(a,i0))') 'expected the logical ', transfer(want, 1), ', got ', transfer(got, 1)
    call check_failed(line, trim(what))
  end subroutine

  subroutine check_ok(code, line)
    integer, intent(in) :: code, line
    character(len=MPI_MAX_ERROR_STRING) :: text
    integer :: length, ierr
    done = done + 1
    if (code == MPI_SUCCESS) return
    call MPI_Error_string(code, text, length, ierr)
    call check_failed(line, 'expected success, got '//text(1:length))
  end subroutine

  subroutine check_class(code, want, line)
    integer, intent(in) :: code, want, line
    integer :: class, ierr
    call MPI_Error_class(code, class, ierr)
    call check_i4_i4(class, want, line)
  end subroutine

  subroutine check_empty(got, any_error, line)
    STATUS(got)
    logical, intent(in) :: any_error
    integer, intent(in) :: line
    integer :: count, ierr
    logical :: cancelled
    call check_i4_i4(FIELD(got, MPI_SOURCE), MPI_ANY_SOURCE, line)
    call check_i4_i4(FIELD(got, MPI_TAG), MPI_ANY_TAG, line)
    if (.not. any_error) call check_i4_i4(FIELD(got, MPI_ERROR), MPI_SUCCESS, line)
    call MPI_Get_count(got, MPI_BYTE, count, ierr)
    call check_i4_i4(count, 0, line)
    call MPI_Test_cancelled(got, cancelled, ierr)
    call check_logical(cancelled, .false., line)
  end subroutine

  ! Is this check one that the host is known to fail natively?  The runner takes the names from
  ! known-faults.tsv.
  logical function known_fault(name)
    character(len=*), intent(in) :: name
    character(len=4096) :: skip
    call get_environment_variable('MPI_TEST_SKIP', skip)
    known_fault = index(' '//trim(skip)//' ', ' '//name//' ') > 0
  end function

  subroutine note_integer(name, value)
    character(len=*), intent(in) :: name
    integer, intent(in) :: value
    if (me == 0) print '(a,1x,i0)', name, value
  end subroutine

  subroutine note_string(name, value)
    character(len=*), intent(in) :: name, value
    if (me == 0) print '(4a)', name, ' "', value, '"'
  end subroutine

  subroutine note_logical(name, value)
    character(len=*), intent(in) :: name
    logical, intent(in) :: value
    if (me == 0) print '(a,1x,l1)', name, value
  end subroutine

  subroutine host_note_integer(name, value)
    character(len=*), intent(in) :: name
    integer, intent(in) :: value
    if (me == 0) print '(2a,1x,i0)', 'host ', name, value
  end subroutine

  subroutine host_note_string(name, value)
    character(len=*), intent(in) :: name, value
    if (me == 0) print '(5a)', 'host ', name, ' "', value, '"'
  end subroutine

  subroutine check_identify()
    integer :: ierr
    call MPI_Comm_rank(MPI_COMM_WORLD, me, ierr)
    call MPI_Comm_size(MPI_COMM_WORLD, processes, ierr)
  end subroutine

  ! Initializes MPI.
  subroutine check_begin()
    integer :: ierr
    call MPI_Init(ierr)
    call check_identify()
  end subroutine

  ! Finalizes MPI, and ends the program.
  subroutine check_end(name)
    character(len=*), intent(in) :: name
    integer :: mine(2), all(2), ierr
    mine = [done, failures]
    call MPI_Allreduce(mine, all, 2, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)
    call MPI_Finalize(ierr)
    if (all(2) /= 0 .or. failures /= 0) stop 1
    if (me == 0) print '(3a,i0,a)', 'ok ', name, ': ', all(1), ' checks'
  end subroutine
end module
