! SPDX-License-Identifier: BSD-3-Clause
!
! Sessions of MPI-4, where the library has them: process sets, groups and communicators made of
! them, error handlers with callbacks, beside the world model.
! ranks: 2
#include "check.h"

module session_callbacks
  USE_MPI
  implicit none
  MPIF_H
  integer :: errors = 0, seen_code = 0
#if defined(MPICH) || defined(MPIABI)
  HANDLE(MPI_Session) :: seen
contains
  subroutine session_error(session, error_code)
    HANDLE(MPI_Session) :: session
    integer :: error_code
    errors = errors + 1
    seen = session
    seen_code = error_code
  end subroutine
#endif
end module

program sessions
  use checks
  use session_callbacks
  implicit none
  integer :: ierr

  call check_begin()
  TRUE(processes == 2)
#if defined(MPICH) || defined(MPIABI)
  call sets()
  call communicators()
  if (.not. known_fault('session-handlers')) call handlers()
#endif
  call check_end('sessions')

#if defined(MPICH) || defined(MPIABI)
contains

  subroutine sets()
    HANDLE(MPI_Session) :: session
    HANDLE(MPI_Info) :: info
    integer :: count, i, length
    logical :: world, self
    character(len=256) :: name
    character(len=20) :: value
    call MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, session, ierr); OK
    call MPI_Session_get_num_psets(session, MPI_INFO_NULL, count, ierr); OK
    TRUE(count >= 2)
    world = .false.
    self = .false.
    do i = 0, count - 1
      length = len(name)
      name = repeat('x', len(name))
      call MPI_Session_get_nth_pset(session, MPI_INFO_NULL, merge(i + 1, i, known_fault('sets-from-1')), length, name, ierr); OK
      world = world .or. name == 'mpi://WORLD'
      self = self .or. name == 'mpi://SELF'
      if (.not. known_fault('length-of-set')) call lengths(session, merge(i + 1, i, known_fault('sets-from-1')), len_trim(name))
    end do
    IS(world, .true.)
    IS(self, .true.)
    call MPI_Session_get_pset_info(session, 'mpi://WORLD  ', info, ierr); OK
    call MPI_Info_get(info, 'mpi_size', 20, value, world, ierr); OK
    IS(world, .true.)
    IS(value, '2')
    call MPI_Info_free(info, ierr); OK
    call MPI_Session_get_info(session, info, ierr); OK
    call MPI_Info_free(info, ierr); OK
    call MPI_Session_finalize(session, ierr); OK
  end subroutine

  ! However much room there is, the length becomes that of the whole name.
  subroutine lengths(session, number, whole)
    HANDLE(MPI_Session), intent(in) :: session
    integer, intent(in) :: number, whole
    integer :: room, length
    character(len=64) :: name
    do room = 0, len(name), 4
      length = room
      name = 'kept'
      call MPI_Session_get_nth_pset(session, MPI_INFO_NULL, number, length, name, ierr); OK
      IS(length, whole)
      TRUE(name(:4) == merge('kept', 'mpi:', room == 0))
    end do
  end subroutine

  subroutine communicators()
    HANDLE(MPI_Session) :: session
    HANDLE(MPI_Group) :: group
    HANDLE(MPI_Comm) :: comm
    integer :: rank, total
    call MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, session, ierr); OK
    call MPI_Group_from_session_pset(session, 'mpi://WORLD', group, ierr); OK
    call MPI_Group_rank(group, rank, ierr); OK
    IS(rank, me)
    call MPI_Comm_create_from_group(group, 'a tag of a test', MPI_INFO_NULL, MPI_ERRORS_RETURN, comm, ierr); OK
    call MPI_Group_free(group, ierr); OK
    call MPI_Allreduce(me + 1, total, 1, MPI_INTEGER, MPI_SUM, comm, ierr); OK
    IS(total, 3)
    call MPI_Comm_free(comm, ierr); OK
    call MPI_Session_finalize(session, ierr); OK
  end subroutine

  subroutine handlers()
    HANDLE(MPI_Session) :: session
    HANDLE(MPI_Errhandler) :: handler
    call MPI_Session_create_errhandler(session_error, handler, ierr); OK
    call MPI_Session_init(MPI_INFO_NULL, handler, session, ierr); OK
    call MPI_Session_call_errhandler(session, MPI_ERR_OTHER, ierr); OK
    IS(errors, 1)
    IS(seen_code, MPI_ERR_OTHER)
    TRUE(seen == session)
    call MPI_Session_set_errhandler(session, MPI_ERRORS_RETURN, ierr); OK
    call MPI_Errhandler_free(handler, ierr); OK
    call MPI_Session_finalize(session, ierr); OK
  end subroutine
#endif
end program
