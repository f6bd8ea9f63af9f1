! SPDX-License-Identifier: BSD-3-Clause
!
! INOUT handles that a call does not change are not stored. Constants lie in memory that cannot be written: natively some of these
! calls crash, which ones depends on the MPI, and modules of Open MPI refuse them. In an array a callback may store a new request
! in the place of a null one meanwhile, as natively on both.
#include "check.h"
#define SUCCEEDS(call) code = -1; call; OK
#define ERRS(call) code = MPI_SUCCESS; call; TRUE(code /= MPI_SUCCESS)
#undef OK
#define OK call check_ok(code, __LINE__)
! A generalized request whose query function makes a new request.
module slots
  USE_MPI
  implicit none
  MPIF_H
  integer :: requests(6), received

contains

  subroutine query(state, status, ierror)
    integer(MPI_ADDRESS_KIND) :: state
    integer :: status(MPI_STATUS_SIZE), ierror
    call MPI_Status_set_elements(status, MPI_INTEGER, 0, ierror)
    call MPI_Status_set_cancelled(status, .false., ierror)
    status(MPI_SOURCE) = MPI_UNDEFINED
    status(MPI_TAG) = MPI_UNDEFINED
    call MPI_Irecv(received, 1, MPI_INTEGER, 0, 77, MPI_COMM_SELF, requests(5), ierror)
  end subroutine

  subroutine release(state, ierror)
    integer(MPI_ADDRESS_KIND) :: state
    integer :: ierror
    ierror = MPI_SUCCESS
  end subroutine

  subroutine cancel(state, complete, ierror)
    integer(MPI_ADDRESS_KIND) :: state
    logical :: complete
    integer :: ierror
    ierror = MPI_SUCCESS
  end subroutine
end module

program inout
  use checks
  USE_MPI
  implicit none
  MPIF_H
  integer, parameter :: none(6) = MPI_REQUEST_NULL
  integer :: code, value, made, position, number, indices(6)
  STATUS(got)
  STATUSES(all_got, 6)
  logical :: done

  call check_begin()
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN, code); OK
  call MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN, code); OK
  call MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_RETURN, code); OK
  ERRS(call MPI_Op_free(MPI_OP_NULL, code))
  ERRS(call MPI_Op_free(MPI_SUM, code))
  ERRS(call MPI_Errhandler_free(MPI_ERRHANDLER_NULL, code))
  ERRS(call MPI_Comm_free_keyval(MPI_KEYVAL_INVALID, code))
  ERRS(call MPI_Comm_free_keyval(MPI_TAG_UB, code))
  ERRS(call MPI_Type_free_keyval(MPI_KEYVAL_INVALID, code))
  ERRS(call MPI_Win_free_keyval(MPI_KEYVAL_INVALID, code))
  ERRS(call MPI_Keyval_free(MPI_TAG_UB, code))
  ERRS(call MPI_Type_free(MPI_DATATYPE_NULL, code))
  ERRS(call MPI_Type_free(MPI_INTEGER, code))
  SUCCEEDS(call MPI_Type_commit(MPI_INTEGER, code))
  ERRS(call MPI_Group_free(MPI_GROUP_NULL, code))
  ERRS(call MPI_Comm_free(MPI_COMM_NULL, code))
  ERRS(call MPI_Comm_free(MPI_COMM_SELF, code))
  ERRS(call MPI_Comm_disconnect(MPI_COMM_NULL, code))
  ERRS(call MPI_Info_free(MPI_INFO_NULL, code))
  ERRS(call MPI_Win_free(MPI_WIN_NULL, code))
  ERRS(call MPI_File_close(MPI_FILE_NULL, code))
  ERRS(call MPI_Request_free(MPI_REQUEST_NULL, code))
  ERRS(call MPI_Start(MPI_REQUEST_NULL, code))
  ERRS(call MPI_Startall(6, none, code))
  ERRS(call MPI_Cancel(MPI_REQUEST_NULL, code))
  ERRS(call MPI_Mrecv(value, 1, MPI_INTEGER, MPI_MESSAGE_NULL, got, code))
  ERRS(call MPI_Imrecv(value, 1, MPI_INTEGER, MPI_MESSAGE_NULL, made, code))
#ifdef SESSIONS
  ERRS(call MPI_Session_finalize(MPI_SESSION_NULL, code))
#endif
  SUCCEEDS(call MPI_Wait(MPI_REQUEST_NULL, got, code))
  SUCCEEDS(call MPI_Test(MPI_REQUEST_NULL, done, got, code))
  TRUE(done)
  SUCCEEDS(call MPI_Waitall(6, none, all_got, code))
  SUCCEEDS(call MPI_Waitall(2, none, MPI_STATUSES_IGNORE, code))
  SUCCEEDS(call MPI_Testall(6, none, done, all_got, code))
  TRUE(done)
  SUCCEEDS(call MPI_Waitany(6, none, position, got, code))
  IS(position, MPI_UNDEFINED)
  SUCCEEDS(call MPI_Testany(6, none, position, done, got, code))
  IS(position, MPI_UNDEFINED)
  SUCCEEDS(call MPI_Waitsome(6, none, number, indices, all_got, code))
  IS(number, MPI_UNDEFINED)
  SUCCEEDS(call MPI_Testsome(6, none, number, indices, all_got, code))
  IS(number, MPI_UNDEFINED)
  call mixed()
  call stored_meanwhile()
  call check_end('inout')

contains

  ! Variables that begin with a null request, as a constant does: what completes is stored, up to 64 requests and above.
  subroutine mixed()
    integer :: requests(70), counts(3) = [3, 64, 70], i
    do i = 1, 3
      requests = MPI_REQUEST_NULL
      call MPI_Irecv(value, 1, MPI_INTEGER, MPI_PROC_NULL, 1, MPI_COMM_SELF, requests(2), code); OK
      call MPI_Recv_init(value, 1, MPI_INTEGER, MPI_PROC_NULL, 1, MPI_COMM_SELF, requests(counts(i)), code); OK
      call MPI_Start(requests(counts(i)), code); OK
      made = requests(counts(i))
      call MPI_Waitall(counts(i), requests, MPI_STATUSES_IGNORE, code); OK
      IS(requests(1), MPI_REQUEST_NULL)
      IS(requests(2), MPI_REQUEST_NULL)
      IS(requests(counts(i)), made)
      call MPI_Request_free(requests(counts(i)), code); OK
      IS(requests(counts(i)), MPI_REQUEST_NULL)
    end do
  end subroutine

  subroutine stored_meanwhile()
    use slots
    integer(MPI_ADDRESS_KIND) :: state = 0
    integer :: first, way
    do first = 1, 2
      do way = 1, 4
        requests = MPI_REQUEST_NULL
        call MPI_Grequest_start(query, release, cancel, state, requests(first), code); OK
        call MPI_Grequest_complete(requests(first), code); OK
        select case (way)
        case (1); call MPI_Waitany(6, requests, position, MPI_STATUS_IGNORE, code)
        case (2); call MPI_Testany(6, requests, position, done, MPI_STATUS_IGNORE, code)
        case (3); call MPI_Waitsome(6, requests, number, indices, MPI_STATUSES_IGNORE, code)
        case (4); call MPI_Testsome(6, requests, number, indices, MPI_STATUSES_IGNORE, code)
        end select
        OK
        IS(requests(first), MPI_REQUEST_NULL)
        TRUE(requests(5) /= MPI_REQUEST_NULL)
        call MPI_Send(first, 1, MPI_INTEGER, 0, 77, MPI_COMM_SELF, code); OK
        call MPI_Wait(requests(5), MPI_STATUS_IGNORE, code); OK
        IS(received, first)
      end do
    end do
  end subroutine
end program
