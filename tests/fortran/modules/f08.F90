! SPDX-License-Identifier: BSD-3-Clause
!
! Uses the parts of the module mpi_f08 that compilers make besides calls of MPI: operators, MPI_SIZEOF, callbacks that are passed
! on, types that become polymorphic. Ends with 1 if anything is wrong.
program f08
  use mpi_f08
#ifdef MPICH
  use mpi_c_interface_types
  use mpi_c_interface_glue
#endif
  implicit none
  logical :: good = .true.
  type(MPI_Comm) :: comm
  call MPI_Init()
  call MPI_Comm_dup(MPI_COMM_WORLD, comm)
  call operators(comm)
  call polymorphism(comm)
  call sizes()
  call callbacks(comm)
  call memory()
#ifdef MPICH
  call statuses()
  call strings()
  call integers(comm)
#endif
#ifndef NO_SYNC_REG
  call MPI_F_sync_reg(comm)
#endif
  call MPI_Comm_free(comm)
  call check(comm == MPI_COMM_NULL, 'a freed communicator')
  call MPI_Finalize()
  if (.not. good) error stop 1
  print '(a)', 'good'
contains
  subroutine check(condition, what)
    logical, intent(in) :: condition
    character(len=*), intent(in) :: what
    if (condition) return
    print '(2a)', 'wrong: ', what
    good = .false.
  end subroutine

  subroutine operators(comm)
    type(MPI_Comm), intent(in) :: comm
    type(MPI_Comm) :: same
    type(MPI_Request) :: request
    same = comm
    call check(comm == same .and. .not. comm /= same, 'equal communicators')
    call check(comm /= MPI_COMM_WORLD .and. .not. comm == MPI_COMM_WORLD, 'different communicators')
    call check(MPI_INTEGER == MPI_INTEGER .and. MPI_INTEGER /= MPI_REAL, 'datatypes')
    call check(MPI_SUM == MPI_SUM .and. MPI_SUM /= MPI_MAX, 'operations')
    call check(MPI_ERRORS_RETURN /= MPI_ERRHANDLER_NULL, 'error handlers')
    call check(MPI_GROUP_EMPTY /= MPI_GROUP_NULL .and. MPI_GROUP_NULL == MPI_GROUP_NULL, 'groups')
    call check(MPI_INFO_NULL == MPI_INFO_NULL .and. MPI_INFO_NULL /= MPI_INFO_ENV, 'info')
    call check(MPI_MESSAGE_NULL /= MPI_MESSAGE_NO_PROC, 'messages')
    call check(MPI_FILE_NULL == MPI_FILE_NULL .and. MPI_WIN_NULL == MPI_WIN_NULL, 'files and windows')
    call MPI_Send_init(same, 0, MPI_BYTE, MPI_PROC_NULL, 0, comm, request)
    call check(request /= MPI_REQUEST_NULL, 'a request')
    call MPI_Request_free(request)
    call check(request == MPI_REQUEST_NULL, 'a freed request')
#ifdef MPICH
    call check(comm == comm%MPI_VAL .and. comm%MPI_VAL == comm, 'a communicator and its integer')
    call check(.not. comm /= comm%MPI_VAL .and. .not. comm%MPI_VAL /= comm, 'a communicator and its integer')
#endif
  end subroutine

  subroutine polymorphism(comm)
    type(MPI_Comm), intent(in) :: comm
    class(*), allocatable :: first, second
    allocate(first, source=comm)
    call check(storage_size(first) == storage_size(comm), 'size of a polymorphic communicator')
    allocate(second, source=first)
    call check(same_type_as(first, second), 'type of a copy')
    deallocate(second)
    allocate(second, source=MPI_SUM)
    call check(.not. same_type_as(first, second), 'another type')
  end subroutine

  subroutine sizes()
    integer :: n, ierr
    character(len=5) :: text
    complex(kind=8) :: complexes(2, 2)
    integer(kind=1) :: one
    integer(kind=2) :: two(3)
    integer(kind=8) :: eight
    real :: real4
    real(kind=8) :: real8(1, 1, 1, 1, 1)
    logical :: logicals(1, 2, 3)
    call MPI_Sizeof(text, n, ierr)
    call check(n == 1 .and. ierr == MPI_SUCCESS, 'size of a character')
    call MPI_Sizeof(complexes, n, ierr)
    call check(n == 16, 'size of a complex')
    call MPI_Sizeof(one, n, ierr)
    call check(n == 1, 'size of one byte')
    call MPI_Sizeof(two, n, ierr)
    call check(n == 2, 'size of two bytes')
    call MPI_Sizeof(eight, n, ierr)
    call check(n == 8, 'size of eight bytes')
    call MPI_Sizeof(real4, n, ierr)
    call check(n == 4, 'size of a real')
    call MPI_Sizeof(real8, n, ierr)
    call check(n == 8, 'size of a double')
    call MPI_Sizeof(logicals, n)
    call check(n == 4, 'size of a logical')
  end subroutine

  subroutine callbacks(comm)
    type(MPI_Comm), intent(in) :: comm
    type(MPI_Comm) :: copy
    integer :: duplicated, left
    integer(kind=MPI_ADDRESS_KIND), parameter :: wide = 77 * 2_MPI_ADDRESS_KIND**32 + 5
    integer(kind=MPI_ADDRESS_KIND) :: value, state = 0
    logical :: flag
    call MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, duplicated, state)
    call MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, left, state)
    call MPI_Comm_set_attr(comm, duplicated, wide)
    call MPI_Comm_set_attr(comm, left, wide)
    call MPI_Comm_dup(comm, copy)
    call MPI_Comm_get_attr(copy, duplicated, value, flag)
    call check(flag .and. value == wide, 'MPI_COMM_DUP_FN')
    call MPI_Comm_get_attr(copy, left, value, flag)
    call check(.not. flag, 'MPI_COMM_NULL_COPY_FN')
    call MPI_Comm_free(copy)
  end subroutine

  subroutine memory()
    use, intrinsic :: iso_c_binding
    character(kind=c_char), allocatable, target, asynchronous :: room(:)
    type(c_ptr) :: address
    real, pointer :: numbers(:)
    integer :: n
#ifdef MPICH
    integer(kind=MPI_COUNT_KIND) :: large
#endif
    allocate(room(1000 + MPI_BSEND_OVERHEAD))
    call MPI_Buffer_attach(room, size(room))
    call MPI_Buffer_detach(address, n)
    call check(c_associated(address, c_loc(room)) .and. n == size(room), 'a detached buffer')
#ifdef MPICH
    call MPI_Buffer_attach(room, size(room, kind=MPI_COUNT_KIND))
    call MPI_Buffer_detach(address, large)
    call check(c_associated(address, c_loc(room)) .and. large == size(room), 'a detached buffer with a large count')
#endif
    call MPI_Alloc_mem(40_MPI_ADDRESS_KIND, MPI_INFO_NULL, address)
    call c_f_pointer(address, numbers, [10])
    numbers = 1.5
    call check(sum(numbers) == 15, 'allocated memory')
    call MPI_Free_mem(numbers)
  end subroutine

#ifdef MPICH
  subroutine statuses()
    type(MPI_Status) :: status, back
    integer :: words(MPI_STATUS_SIZE), ierr
    status%MPI_SOURCE = 3
    status%MPI_TAG = 4
    status%MPI_ERROR = 5
    call MPI_Status_f082f(status, words, ierr)
    call check(words(MPI_SOURCE) == 3 .and. words(MPI_TAG) == 4 .and. words(MPI_ERROR) == 5, 'status to array')
    call MPI_Status_f2f08(words, back)
    call check(back%MPI_SOURCE == 3 .and. back%MPI_TAG == 4 .and. back%MPI_ERROR == 5, 'array to status')
  end subroutine

  subroutine strings()
    character(kind=c_char) :: c(20), apart(2, 20)
    character(len=6) :: text
    call mpir_fortran_string_f2c(' a b  ', c)
    call check(c(1) == 'a' .and. c(3) == 'b' .and. c(4) == c_null_char, 'string of C')
    call mpir_fortran_string_c2f(c, text)
    call check(text == 'a b', 'string of Fortran')
    call mpir_fortran_string_f2c('xyz', apart(2, :))
    call mpir_fortran_string_c2f(apart(2, :), text)
    call check(text == 'xyz', 'string whose characters lie apart')
  end subroutine

  subroutine integers(comm)
    type(MPI_Comm), intent(in) :: comm
    integer(c_Comm) :: c
    c = MPI_Comm_f2c(comm%MPI_VAL)
    call check(MPI_Comm_c2f(c) == comm%MPI_VAL, 'integer of C')
  end subroutine
#endif
end program
