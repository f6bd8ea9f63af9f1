! SPDX-License-Identifier: BSD-3-Clause
!
! Creating processes: arrays of strings for arguments, several commands, error codes, ports and
! published names. The program starts itself; its children say what they were given.
! ranks: 2
! hangs: openmpi
#include "check.h"
program spawn
  use checks
  USE_MPI
  implicit none
  MPIF_H
  integer :: ierr
  HANDLE(MPI_Comm) :: parent
  character(len=300) :: program_path

  call check_begin()
  call MPI_Comm_get_parent(parent, ierr); OK
  if (parent /= MPI_COMM_NULL) then
    call child()
  else
    call get_command_argument(0, program_path)
    call ports()
    if (.not. known_fault('spawn')) then
      call one_command()
      call without_arguments()
      call several_commands()
    end if
    call check_end('spawn')
  end if

contains

  ! Tells rank 0 of the parents the number of arguments, and each of them with its length.
  subroutine child()
    integer :: i, length, rank
    character(len=40) :: argument
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
    call MPI_Send(command_argument_count(), 1, MPI_INTEGER, 0, rank, parent, ierr)
    do i = 1, command_argument_count()
      call get_command_argument(i, argument, length)
      call MPI_Send(argument, length, MPI_CHARACTER, 0, rank, parent, ierr)
    end do
    call MPI_Comm_disconnect(parent, ierr)
    call MPI_Finalize(ierr)
  end subroutine

  subroutine child_has(children, rank, want)
    HANDLE(MPI_Comm) :: children
    integer, intent(in) :: rank
    character(len=*), intent(in) :: want(:)
    character(len=40) :: argument
    integer :: i, count
    STATUS(got)
    call MPI_Recv(count, 1, MPI_INTEGER, rank, rank, children, MPI_STATUS_IGNORE, ierr); OK
    IS(count, size(want))
    do i = 1, count
      argument = ' '
      call MPI_Recv(argument, 40, MPI_CHARACTER, rank, rank, children, got, ierr); OK
      call MPI_Get_count(got, MPI_CHARACTER, count, ierr); OK
      IS(argument, want(i))
      IS(count, len_trim(want(i)))
    end do
  end subroutine

  ! An array of strings ends with one of blanks only.
  subroutine one_command()
    HANDLE(MPI_Comm) :: children
    character(len=16) :: arguments(5)
    integer :: codes(2), size
    arguments = ['first           ', 'with blanks in i', 'x               ', '                ', 'never seen      ']
    codes = -1
    call MPI_Comm_spawn(program_path, arguments, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, children, codes, ierr); OK
    TRUE(all(codes == MPI_SUCCESS))
    call MPI_Comm_remote_size(children, size, ierr); OK
    IS(size, 2)
    if (me == 0) then
      call child_has(children, 0, arguments(1:3))
      call child_has(children, 1, arguments(1:3))
    end if
    call MPI_Comm_disconnect(children, ierr); OK
    TRUE(children == MPI_COMM_NULL)
  end subroutine

  subroutine without_arguments()
    HANDLE(MPI_Comm) :: children
    character(len=1) :: none(0)
    call MPI_Comm_spawn(program_path, MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_SELF, children, &
      MPI_ERRCODES_IGNORE, ierr); OK
    call child_has(children, 0, none)
    call MPI_Comm_disconnect(children, ierr); OK
  end subroutine

  ! Commands are rows: arguments(i, j) is argument j of command i.
  subroutine several_commands()
    HANDLE(MPI_Comm) :: children
    HANDLE(MPI_Info) :: infos(2)
    character(len=300) :: commands(2)
    character(len=8) :: arguments(2, 3)
    character(len=8) :: none(0)
    integer :: codes(3), size
    commands = program_path
    arguments(1, :) = ['one     ', 'two     ', '        ']
    arguments(2, :) = ['three   ', '        ', '        ']
    infos = MPI_INFO_NULL
    codes = -1
    call MPI_Comm_spawn_multiple(2, commands, arguments, [1, 2], infos, 0, MPI_COMM_WORLD, children, codes, ierr); OK
    TRUE(all(codes == MPI_SUCCESS))
    call MPI_Comm_remote_size(children, size, ierr); OK
    IS(size, 3)
    if (me == 0) then
      call child_has(children, 0, arguments(1, 1:2))
      call child_has(children, 1, arguments(2, 1:1))
      call child_has(children, 2, arguments(2, 1:1))
    end if
    call MPI_Comm_disconnect(children, ierr); OK
    if (known_fault('spawn-repeatedly')) return
    call MPI_Comm_spawn_multiple(2, commands, MPI_ARGVS_NULL, [1, 1], infos, 0, MPI_COMM_WORLD, children, &
      MPI_ERRCODES_IGNORE, ierr); OK
    if (me == 0) then
      call child_has(children, 0, none)
      call child_has(children, 1, none)
    end if
    call MPI_Comm_disconnect(children, ierr); OK
  end subroutine

  subroutine ports()
    character(len=MPI_MAX_PORT_NAME) :: port, found
    HANDLE(MPI_Comm) :: between
    integer :: value
    if (known_fault('ports')) return
    if (me == 0) then
      port = repeat('x', len(port))
      call MPI_Open_port(MPI_INFO_NULL, port, ierr); OK
      TRUE(len_trim(port) < len(port))
      IS(index(port, char(0)), 0)
      call MPI_Publish_name('a service    ', MPI_INFO_NULL, port, ierr); OK
      call MPI_Lookup_name('a service', MPI_INFO_NULL, found, ierr); OK
      IS(found, port)
      call MPI_Unpublish_name('a service', MPI_INFO_NULL, port, ierr); OK
      call MPI_Send(port, len(port), MPI_CHARACTER, 1, 0, MPI_COMM_WORLD, ierr); OK
      call MPI_Comm_accept(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, between, ierr); OK
      call MPI_Send(42, 1, MPI_INTEGER, 0, 0, between, ierr); OK
      call MPI_Comm_disconnect(between, ierr); OK
      call MPI_Close_port(port, ierr); OK
    else
      call MPI_Recv(port, len(port), MPI_CHARACTER, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr); OK
      call MPI_Comm_connect(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, between, ierr); OK
      call MPI_Recv(value, 1, MPI_INTEGER, 0, 0, between, MPI_STATUS_IGNORE, ierr); OK
      IS(value, 42)
      call MPI_Comm_disconnect(between, ierr); OK
    end if
  end subroutine
end program
