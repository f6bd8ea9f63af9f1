! SPDX-License-Identifier: BSD-3-Clause
!
! Uses the parts of the module mpi that compilers make besides calls of MPI. Ends with 1 if anything is wrong.
program usempi
  use mpi
  implicit none
  logical :: good = .true.
  integer :: ierr
#ifdef MPICH
  type(MPI_Comm) :: first, second
  first%MPI_VAL = 3
  second%MPI_VAL = 3
  call check(first == second .and. .not. first /= second, 'equal communicators')
  second%MPI_VAL = 4
  call check(first /= second .and. .not. first == second, 'different communicators')
#endif
  call MPI_Init(ierr)
  call sizes()
  call callbacks()
  call memory()
#ifdef OPENMPI
  call MPI_F_sync_reg(good)
#endif
  call MPI_Finalize(ierr)
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

  subroutine sizes()
    integer :: n
    double precision :: doubles(3)
    integer(kind=1) :: one
    character(len=3) :: text(2)
    logical :: flag
    call MPI_Sizeof(doubles, n, ierr)
    call check(n == 8 .and. ierr == MPI_SUCCESS, 'size of a double')
    call MPI_Sizeof(one, n, ierr)
    call check(n == 1, 'size of one byte')
    call MPI_Sizeof(text, n, ierr)
    call check(n == 1, 'size of a character')
    call MPI_Sizeof(flag, n, ierr)
    call check(n == 4, 'size of a logical')
  end subroutine

  subroutine callbacks()
    integer :: duplicated, left, old, comm, number
    integer(kind=MPI_ADDRESS_KIND) :: value, state
    logical :: flag
    state = 0
    call MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, duplicated, state, ierr)
    call MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, left, state, ierr)
    call MPI_Keyval_create(MPI_DUP_FN, MPI_NULL_DELETE_FN, old, 0, ierr)
    value = -5
    call MPI_Comm_set_attr(MPI_COMM_SELF, duplicated, value, ierr)
    call MPI_Comm_set_attr(MPI_COMM_SELF, left, value, ierr)
    call MPI_Attr_put(MPI_COMM_SELF, old, -6, ierr)
    call MPI_Comm_dup(MPI_COMM_SELF, comm, ierr)
    call MPI_Comm_get_attr(comm, duplicated, value, flag, ierr)
    call check(flag .and. value == -5, 'MPI_COMM_DUP_FN')
    call MPI_Comm_get_attr(comm, left, value, flag, ierr)
    call check(.not. flag, 'MPI_COMM_NULL_COPY_FN')
    call MPI_Attr_get(comm, old, number, flag, ierr)
    call check(flag .and. number == -6, 'MPI_DUP_FN')
    call MPI_Comm_free(comm, ierr)
    call called_directly()
  end subroutine

  ! The specifics with TYPE(C_PTR).
  subroutine memory()
    use, intrinsic :: iso_c_binding
    type(c_ptr) :: address, other
    integer(kind=MPI_ADDRESS_KIND) :: bytes
    integer, pointer :: numbers(:)
    integer :: win, unit
    call MPI_Alloc_mem(40_MPI_ADDRESS_KIND, MPI_INFO_NULL, address, ierr)
    call c_f_pointer(address, numbers, [10])
    numbers = 3
    call check(sum(numbers) == 30, 'allocated memory')
    call MPI_Free_mem(numbers, ierr)
    call MPI_Win_allocate(40_MPI_ADDRESS_KIND, 4, MPI_INFO_NULL, MPI_COMM_SELF, address, win, ierr)
    call c_f_pointer(address, numbers, [10])
    numbers = 4
    call check(sum(numbers) == 40, "a window's memory")
    call MPI_Win_free(win, ierr)
    call MPI_Win_allocate_shared(40_MPI_ADDRESS_KIND, 4, MPI_INFO_NULL, MPI_COMM_SELF, address, win, ierr)
    call MPI_Win_shared_query(win, 0, bytes, unit, other, ierr)
    call check(c_associated(address, other) .and. bytes == 40 .and. unit == 4, "a shared window's memory")
    call MPI_Win_free(win, ierr)
  end subroutine

  ! A callback of the application's that hands on to a predefined one.
  subroutine called_directly()
    integer(kind=MPI_ADDRESS_KIND) :: state, from, to
    logical :: flag
    state = 0
    from = 8
    flag = .false.
    call MPI_COMM_DUP_FN(MPI_COMM_SELF, 1, state, from, to, flag, ierr)
    call check(flag .and. to == 8 .and. ierr == MPI_SUCCESS, 'MPI_COMM_DUP_FN called')
    call MPI_WIN_NULL_COPY_FN(0, 1, state, from, to, flag, ierr)
    call check(.not. flag, 'MPI_WIN_NULL_COPY_FN called')
    ierr = 9
    call MPI_TYPE_NULL_DELETE_FN(MPI_INTEGER, 1, from, state, ierr)
    call check(ierr == MPI_SUCCESS, 'MPI_TYPE_NULL_DELETE_FN called')
  end subroutine
end program
