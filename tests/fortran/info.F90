! SPDX-License-Identifier: BSD-3-Clause
!
! Info objects: keys and values that are padded with blanks, begin with blanks, do not fit.
! ranks: 1
#include "check.h"
program info_objects
  use checks
  USE_MPI
  implicit none
  MPIF_H
  integer :: ierr
  HANDLE(MPI_Info) :: info

  call check_begin()
  call MPI_Info_create(info, ierr); OK
  TRUE(info /= MPI_INFO_NULL)
  call set_and_get()
  call blanks()
  call short_room()
  call lengths()
  call keys()
  call duplicates()
  call errors()
  call MPI_Info_free(info, ierr); OK
  TRUE(info == MPI_INFO_NULL)
  call predefined()
  call strings()
  call check_end('info')

contains

  subroutine has(key, want)
    character(len=*), intent(in) :: key, want
    character(len=60) :: value
    logical :: flag
    value = repeat('x', 60)
    call MPI_Info_get(info, key, 60, value, flag, ierr); OK
    IS(flag, .true.)
    IS(value, want)
  end subroutine

  subroutine set_and_get()
    character(len=60) :: value
    logical :: flag
    call MPI_Info_set(info, 'host', 'one', ierr); OK
    call MPI_Info_set(info, 'path', '/a/b c/d', ierr); OK
    call has('host', 'one')
    call has('path', '/a/b c/d')
    value = 'untouched'
    call MPI_Info_get(info, 'nothing', 60, value, flag, ierr); OK
    IS(flag, .false.)
    IS(value, 'untouched')
    call MPI_Info_set(info, 'host', 'two', ierr); OK
    call has('host', 'two')
    call MPI_Info_delete(info, 'path', ierr); OK
    call MPI_Info_get(info, 'path', 60, value, flag, ierr); OK
    IS(flag, .false.)
  end subroutine

  ! Blanks around keys and values do not count; those inside do.
  subroutine blanks()
    character(len=20) :: key, value
    key = 'padded'
    value = 'a value'
    call MPI_Info_set(info, key, value, ierr); OK
    call has('padded', 'a value')
    call has('padded      ', 'a value')
    call has('   padded', 'a value')
    call MPI_Info_set(info, '  leading', '  in front', ierr); OK
    call has('leading', 'in front')
    call MPI_Info_delete(info, ' padded ', ierr); OK
    call MPI_Info_delete(info, 'leading', ierr); OK
  end subroutine

  ! The value is cut, and blanks fill the variable.
  subroutine short_room()
    character(len=12) :: value
    logical :: flag
    call MPI_Info_set(info, 'long', 'abcdefghij', ierr); OK
    if (.not. known_fault('cuts-values')) then
      value = 'XXXXXXXXXXXX'
      call MPI_Info_get(info, 'long', 4, value, flag, ierr); OK
      IS(flag, .true.)
      IS(value, 'abcd')
    end if
    call MPI_Info_get(info, 'long', 10, value(1:10), flag, ierr); OK
    IS(value(1:10), 'abcdefghij')
    if (.not. known_fault('as-long-as-can-be')) then
      call MPI_Info_get(info, 'long', huge(0), value, flag, ierr); OK
      IS(value, 'abcdefghij  ')
    end if
    call MPI_Info_delete(info, 'long', ierr); OK
  end subroutine

  subroutine lengths()
    integer :: length
    logical :: flag
    call MPI_Info_set(info, 'seven', '1234567   ', ierr); OK
    call MPI_Info_get_valuelen(info, 'seven', length, flag, ierr); OK
    IS(flag, .true.)
    IS(length, 7)
    length = 99
    call MPI_Info_get_valuelen(info, 'eight', length, flag, ierr); OK
    IS(flag, .false.)
    IS(length, 99)
    call MPI_Info_delete(info, 'seven', ierr); OK
  end subroutine

  subroutine keys()
    integer :: count, i
    character(len=MPI_MAX_INFO_KEY) :: key
    call MPI_Info_set(info, 'second', '2', ierr); OK
    call MPI_Info_get_nkeys(info, count, ierr); OK
    IS(count, 2)
    do i = 0, 1
      key = repeat('x', len(key))
      call MPI_Info_get_nthkey(info, i, key, ierr); OK
      call note('key', trim(key))
      IS(index(key, char(0)), 0)
    end do
  end subroutine

  subroutine duplicates()
    HANDLE(MPI_Info) :: again
    character(len=10) :: value
    logical :: flag
    integer :: count
    call MPI_Info_dup(info, again, ierr); OK
    TRUE(again /= info)
    call MPI_Info_get(again, 'second', 10, value, flag, ierr); OK
    IS(value, '2')
    call MPI_Info_delete(again, 'second', ierr); OK
    call MPI_Info_get_nkeys(info, count, ierr); OK
    IS(count, 2)
    call MPI_Info_free(again, ierr); OK
  end subroutine

  subroutine errors()
    call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN, ierr); OK
    call MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN, ierr); OK
    call MPI_Info_delete(info, 'never there', ierr)
    FAILS(MPI_ERR_INFO_NOKEY)
  end subroutine

  subroutine predefined()
    character(len=100) :: value
    logical :: flag
    call MPI_Info_get(MPI_INFO_ENV, 'maxprocs', 100, value, flag, ierr); OK
    if (flag) then; IS(value, '1'); end if
  end subroutine

  subroutine strings()
#if defined(MPICH) || defined(MPIABI)
    character(len=20) :: value
    integer :: length
    logical :: flag
    call MPI_Info_create(info, ierr); OK
    call MPI_Info_set(info, 'key', 'a value', ierr); OK
    length = 20
    value = repeat('x', 20)
    call MPI_Info_get_string(info, 'key', length, value, flag, ierr); OK
    IS(flag, .true.)
    IS(value, 'a value')
    call MPI_Info_free(info, ierr); OK
#endif
  end subroutine
end program
