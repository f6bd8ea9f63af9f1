! SPDX-License-Identifier: BSD-3-Clause
!
! External interfaces: generalized requests, what they write into statuses, levels of threads.
! ranks: 1
#include "check.h"

module request_callbacks
  USE_MPI
  implicit none
  MPIF_H
  integer :: queries = 0, frees = 0, cancels = 0
  integer(kind=MPI_ADDRESS_KIND) :: seen_extra = 0
  logical :: completed_before_cancel = .true.
contains
  subroutine query(extra_state, status, ierror)
    integer(kind=MPI_ADDRESS_KIND) :: extra_state
    STATUS(status)
    integer :: ierror
    queries = queries + 1
    seen_extra = extra_state
    call MPI_Status_set_elements(status, MPI_INTEGER, 7, ierror)
    call MPI_Status_set_cancelled(status, extra_state == 2, ierror)
    FIELD(status, MPI_SOURCE) = 41
    FIELD(status, MPI_TAG) = 42
    ierror = MPI_SUCCESS
    if (extra_state == 3) ierror = MPI_ERR_OTHER
  end subroutine

  subroutine release(extra_state, ierror)
    integer(kind=MPI_ADDRESS_KIND) :: extra_state
    integer :: ierror
    frees = frees + 1
    ! The extra state is the caller's variable.
    extra_state = extra_state + 1000
    ierror = MPI_SUCCESS
  end subroutine

  subroutine cancel(extra_state, complete, ierror)
    integer(kind=MPI_ADDRESS_KIND) :: extra_state
    logical :: complete
    integer :: ierror
    cancels = cancels + 1
    completed_before_cancel = complete
    ierror = MPI_SUCCESS
  end subroutine
end module

program external_interfaces
  use checks
  use request_callbacks
  implicit none
  integer :: ierr, provided

  call MPI_Init_thread(MPI_THREAD_FUNNELED, provided, ierr); OK
  TRUE(provided >= MPI_THREAD_SINGLE .and. provided <= MPI_THREAD_MULTIPLE)
  call check_identify()
  call levels()
  call completed()
  call cancelled()
  call among_others()
  call statuses()
  call check_end('external')

contains

  subroutine levels()
    integer :: level
    TRUE(MPI_THREAD_SINGLE < MPI_THREAD_FUNNELED)
    TRUE(MPI_THREAD_FUNNELED < MPI_THREAD_SERIALIZED)
    TRUE(MPI_THREAD_SERIALIZED < MPI_THREAD_MULTIPLE)
    call MPI_Query_thread(level, ierr); OK
    IS(level, provided)
  end subroutine

  subroutine completed()
    HANDLE(MPI_Request) :: request
    integer(kind=MPI_ADDRESS_KIND) :: extra
    STATUS(got)
    integer :: count
    logical :: flag
    extra = 5
    call MPI_Grequest_start(query, release, cancel, extra, request, ierr); OK
    TRUE(request /= MPI_REQUEST_NULL)
    call MPI_Test(request, flag, got, ierr); OK
    IS(flag, .false.)
    ! A query sees what the caller's variable is by then.
    extra = 1
    call MPI_Grequest_complete(request, ierr); OK
    call MPI_Wait(request, got, ierr); OK
    TRUE(request == MPI_REQUEST_NULL)
    TRUE(queries >= 1)
    IS(frees, 1)
    IS(cancels, 0)
    IS(seen_extra, 1)
    IS(extra, 1001)
    call MPI_Get_count(got, MPI_INTEGER, count, ierr); OK
    IS(count, 7)
    call MPI_Get_elements(got, MPI_INTEGER, count, ierr); OK
    IS(count, 7)
    IS(FIELD(got, MPI_SOURCE), 41)
    IS(FIELD(got, MPI_TAG), 42)
    call MPI_Test_cancelled(got, flag, ierr); OK
    IS(flag, .false.)
  end subroutine

  subroutine cancelled()
    HANDLE(MPI_Request) :: request
    integer(kind=MPI_ADDRESS_KIND) :: extra
    STATUS(got)
    logical :: flag
    extra = 2
    call MPI_Grequest_start(query, release, cancel, extra, request, ierr); OK
    call MPI_Cancel(request, ierr); OK
    IS(cancels, 1)
    IS(completed_before_cancel, .false.)
    call MPI_Grequest_complete(request, ierr); OK
    call MPI_Wait(request, got, ierr); OK
    call MPI_Test_cancelled(got, flag, ierr); OK
    IS(flag, .true.)
    IS(seen_extra, 2)
    IS(extra, 1002)
  end subroutine

  subroutine among_others()
    HANDLE(MPI_Request) :: requests(2)
    integer(kind=MPI_ADDRESS_KIND) :: extra, second
    STATUSES(got, 2)
    integer :: count, index
    extra = 1234567890123_8
    second = extra + 1 ! a variable of its own: MPIs keep its address
    call MPI_Grequest_start(query, release, cancel, extra, requests(1), ierr); OK
    call MPI_Grequest_start(query, release, cancel, second, requests(2), ierr); OK
    call MPI_Grequest_complete(requests(2), ierr); OK
    call MPI_Waitany(2, requests, index, STATUS_AT(got, 1), ierr); OK
    if (known_fault('index-from-0')) index = index + 1
    IS(index, 2)
    IS(seen_extra, 1234567890124_8)
    call MPI_Grequest_complete(requests(1), ierr); OK
    call MPI_Waitall(2, requests, got, ierr); OK
    call MPI_Get_count(STATUS_AT(got, 1), MPI_INTEGER, count, ierr); OK
    IS(count, 7)
    IS(seen_extra, 1234567890123_8)
    IS(extra, 1234567891123_8)
    IS(frees, 4)
  end subroutine

  subroutine statuses()
    STATUS(got)
    integer :: count
    integer(kind=MPI_COUNT_KIND) :: large
    logical :: flag
    FIELD(got, MPI_SOURCE) = 0
    FIELD(got, MPI_TAG) = 0
    FIELD(got, MPI_ERROR) = MPI_SUCCESS
    call MPI_Status_set_elements(got, MPI_DOUBLE_PRECISION, 3, ierr); OK
    call MPI_Get_count(got, MPI_DOUBLE_PRECISION, count, ierr); OK
    IS(count, 3)
    large = 6000000000_8
    call MPI_Status_set_elements_x(got, MPI_BYTE, large, ierr); OK
    large = 0
    call MPI_Get_elements_x(got, MPI_BYTE, large, ierr); OK
    IS(large, 6000000000_8)
    call MPI_Get_elements(got, MPI_BYTE, count, ierr); OK
    IS(count, MPI_UNDEFINED)
    call MPI_Status_set_cancelled(got, .true., ierr); OK
    call MPI_Test_cancelled(got, flag, ierr); OK
    IS(flag, .true.)
    call MPI_Status_set_cancelled(got, .false., ierr); OK
    call MPI_Test_cancelled(got, flag, ierr); OK
    IS(flag, .false.)
  end subroutine
end program
