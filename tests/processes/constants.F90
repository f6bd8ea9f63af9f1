! SPDX-License-Identifier: BSD-3-Clause
!
! A plugin that uses each of Fortran's constants that are addresses, and tells which were not recognized. Compiled with
! -DENTRY=name and -DINTERFACE=77 (mpif.h), 90 (use mpi) or 2008 (use mpi_f08). Two ranks.
#if INTERFACE == 2008
#define USE_MPI use mpi_f08
#define MPIF_H
#define HANDLE(class) type(class)
#define NOTE(status) before = [status%MPI_SOURCE, status%MPI_TAG]
#define IS_KEPT(status) all([status%MPI_SOURCE, status%MPI_TAG] == before)
#elif INTERFACE == 90
#define USE_MPI use mpi
#define MPIF_H
#else
#define USE_MPI
#define MPIF_H include 'mpif.h'
#endif
#ifndef HANDLE
#define HANDLE(class) integer
#endif

! Called with 0 it initializes MPI, with 2 it finalizes it. With 1 it returns a sum of: 1 MPI_IN_PLACE, 2 MPI_BOTTOM,
! 4 MPI_STATUS_IGNORE, 8 MPI_STATUSES_IGNORE, 16 MPI_UNWEIGHTED, 32 MPI_WEIGHTS_EMPTY, 64 any error; with 3 it tries
! MPI_ARGV_NULL, MPI_ARGVS_NULL and MPI_ERRCODES_IGNORE, which only a trace shows.
integer(c_int) function ENTRY(what) bind(C)
  use, intrinsic :: iso_c_binding, only: c_int
  USE_MPI
  implicit none
  MPIF_H
  integer(c_int), value :: what
  integer :: ierr, me, other
  ENTRY = 0
  if (what == 0) then
    call MPI_Init(ierr)
  else if (what == 2) then
    call MPI_Finalize(ierr)
  else
    call MPI_Comm_rank(MPI_COMM_WORLD, me, ierr)
    other = 1 - me
    if (what == 1) then
      call in_place()
      call bottom()
      call ignored_status()
      call ignored_statuses()
      call weights()
    else
      call spawns()
    end if
  end if

contains

  subroutine wrong(number)
    integer, intent(in) :: number
    ENTRY = ior(ENTRY, int(number, c_int))
  end subroutine

  subroutine in_place()
    integer :: x(2)
    x = [me + 1, 10 * (me + 1)]
    call MPI_Allreduce(MPI_IN_PLACE, x, 2, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)
    if (ierr /= MPI_SUCCESS) call wrong(64)
    if (any(x /= [3, 30])) call wrong(1)
  end subroutine

  subroutine bottom()
    integer, asynchronous :: x
    integer(MPI_ADDRESS_KIND) :: place(1)
    HANDLE(MPI_Datatype) :: absolute
    x = 42 + me
    call MPI_Get_address(x, place(1), ierr)
    call MPI_Type_create_hindexed(1, [1], place, MPI_INTEGER, absolute, ierr)
    call MPI_Type_commit(absolute, ierr)
    call MPI_Bcast(MPI_BOTTOM, 1, absolute, 0, MPI_COMM_WORLD, ierr)
    if (ierr /= MPI_SUCCESS) call wrong(64)
    call MPI_Type_free(absolute, ierr)
    if (x /= 42) call wrong(2)
  end subroutine

  ! Who does not recognize it writes the status there.
  subroutine ignored_status()
    integer :: sent, got
#if INTERFACE == 2008
    integer :: before(2)
    NOTE(MPI_STATUS_IGNORE)
#else
    integer :: before(MPI_STATUS_SIZE)
    before = MPI_STATUS_IGNORE
#endif
    sent = 5 + me
    call MPI_Sendrecv(sent, 1, MPI_INTEGER, other, 77, got, 1, MPI_INTEGER, other, 77, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    if (ierr /= MPI_SUCCESS .or. got /= 5 + other) call wrong(64)
#if INTERFACE == 2008
    if (.not. IS_KEPT(MPI_STATUS_IGNORE)) call wrong(4)
#else
    if (any(MPI_STATUS_IGNORE /= before)) call wrong(4)
#endif
  end subroutine

  ! One request: the variable has room for one status.
  subroutine ignored_statuses()
    integer :: sent
    integer, asynchronous :: got
    HANDLE(MPI_Request) :: requests(1)
#if INTERFACE == 2008
    integer :: before(2)
    NOTE(MPI_STATUSES_IGNORE(1))
#else
    integer :: before
    before = MPI_STATUSES_IGNORE(1, 1)
#endif
    sent = 6 + me
    call MPI_Irecv(got, 1, MPI_INTEGER, other, 78, MPI_COMM_WORLD, requests(1), ierr)
    call MPI_Send(sent, 1, MPI_INTEGER, other, 78, MPI_COMM_WORLD, ierr)
    call MPI_Waitall(1, requests, MPI_STATUSES_IGNORE, ierr)
    if (ierr /= MPI_SUCCESS .or. got /= 6 + other) call wrong(64)
#if INTERFACE == 2008
    if (.not. IS_KEPT(MPI_STATUSES_IGNORE(1))) call wrong(8)
#else
    if (MPI_STATUSES_IGNORE(1, 1) /= before) call wrong(8)
#endif
  end subroutine

  subroutine weights()
    HANDLE(MPI_Comm) :: graph
    integer :: in, out, none(1)
    logical :: weighted
    call MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, [other], MPI_UNWEIGHTED, 1, [other], MPI_UNWEIGHTED, &
      MPI_INFO_NULL, .false., graph, ierr)
    if (ierr /= MPI_SUCCESS) call wrong(64)
    call MPI_Dist_graph_neighbors_count(graph, in, out, weighted, ierr)
    if (weighted .or. in /= 1 .or. out /= 1) call wrong(16)
    call MPI_Comm_free(graph, ierr)
    none = 0
    call MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 0, none, MPI_WEIGHTS_EMPTY, 0, none, MPI_WEIGHTS_EMPTY, &
      MPI_INFO_NULL, .false., graph, ierr)
    if (ierr /= MPI_SUCCESS) call wrong(64)
    call MPI_Dist_graph_neighbors_count(graph, in, out, weighted, ierr)
    if (.not. weighted .or. in /= 0) call wrong(32)
    call MPI_Comm_free(graph, ierr)
  end subroutine

  ! The number of processes is wrong, so that nothing is started.
  subroutine spawns()
    HANDLE(MPI_Comm) :: children
    character(len=8) :: commands(1)
    commands = 'nothing'
    call MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN, ierr)
    call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN, ierr)
    call MPI_Comm_spawn('nothing', MPI_ARGV_NULL, -1, MPI_INFO_NULL, 0, MPI_COMM_SELF, children, MPI_ERRCODES_IGNORE, ierr)
    call MPI_Comm_spawn_multiple(1, commands, MPI_ARGVS_NULL, [-1], [MPI_INFO_NULL], 0, MPI_COMM_SELF, children, &
      MPI_ERRCODES_IGNORE, ierr)
  end subroutine
end function
