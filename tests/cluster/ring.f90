! SPDX-License-Identifier: BSD-3-Clause
! Does in Fortran what ring.c does without an option: a token goes round, sums are checked, and rank 0 prints a line for each
! rank.
program ring
    use mpi
    implicit none
    integer :: rank, ranks, ierror, length, i
    integer :: status(MPI_STATUS_SIZE)
    logical :: good
    character(len=MPI_MAX_PROCESSOR_NAME) :: host
    character(len=256) :: line
    character(len=256), allocatable :: lines(:)

    call MPI_Init(ierror)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
    call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierror)
    call MPI_Get_processor_name(host, length, ierror)
    good = token_returns()
    good = sums() .and. good
    write (line, '(a,i0,a,i0,6a)') 'rank ', rank, ' of ', ranks, ' on ', host(1:length), ': ', trim(pair()), ', ', &
        merge('right', 'WRONG', good)
    allocate (lines(ranks))
    call MPI_Gather(line, len(line), MPI_CHARACTER, lines, len(line), MPI_CHARACTER, 0, MPI_COMM_WORLD, ierror)
    if (rank == 0) then
        do i = 1, ranks
            write (*, '(a)') trim(lines(i))
        end do
        flush (6)
    end if
    call MPI_Barrier(MPI_COMM_WORLD, ierror)
    call MPI_Finalize(ierror)
    if (.not. good) stop 1

contains

    logical function token_returns()
        integer, asynchronous :: token
        integer :: next, request
        token = 0
        call MPI_Irecv(token, 1, MPI_INTEGER, mod(rank + ranks - 1, ranks), 7, MPI_COMM_WORLD, request, ierror)
        if (rank > 0) call MPI_Wait(request, status, ierror)
        next = token + rank
        call MPI_Send(next, 1, MPI_INTEGER, mod(rank + 1, ranks), 7, MPI_COMM_WORLD, ierror)
        if (rank == 0) call MPI_Wait(request, status, ierror)
        token_returns = status(MPI_SOURCE) == mod(rank + ranks - 1, ranks) .and. status(MPI_TAG) == 7
        if (rank > 0) token_returns = token_returns .and. token == rank*(rank - 1)/2
        if (rank == 0) token_returns = token_returns .and. token == ranks*(ranks - 1)/2
    end function

    logical function sums()
        double precision :: mine, all
        mine = rank + 1
        call MPI_Allreduce(mine, all, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, ierror)
        sums = all == ranks*(ranks + 1)/2
    end function

    ! The folder of the MPI library in memory, if it is a pair's.
    function pair()
        character(len=64) :: pair
        character(len=1024) :: map
        integer :: start, ended
        pair = 'native'
        open (unit=9, file='/proc/self/maps', action='read')
        do
            read (9, '(a)', iostat=ended) map
            if (ended /= 0) exit
            start = index(map, '/lib/mpi-adapter/')
            if (start == 0) cycle
            map = map(start + len('/lib/mpi-adapter/'):)
            pair = map(1:index(map, '/') - 1)
            exit
        end do
        close (9)
    end function
end program
