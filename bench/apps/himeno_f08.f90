! SPDX-License-Identifier: BSD-3-Clause
! The pressure equation of Himeno's benchmark with "use mpi_f08": a 19-point
! Jacobi stencil with coefficients in memory. Ranks form a 3-D grid and exchange
! faces, as derived datatypes, with their neighbours; the residual is reduced in
! each iteration.
module himeno_block
  use app
  use mpi_f08
  implicit none
  integer, parameter :: real32 = kind(1e0)
  real(real32), parameter :: omega = 0.8

  ! Points 1 to inner(:) of a block, of all points 1 to whole(:); one more layer on each side.
  type block_of_grid
     integer :: whole(3), before(3), inner(3), lower(3), upper(3)
     real(real32), allocatable :: pressure(:, :, :), next(:, :, :), source(:, :, :), bound(:, :, :)
     real(real32), allocatable :: a(:, :, :, :), b(:, :, :, :), c(:, :, :, :)
     type(MPI_Comm) :: comm
     type(MPI_Datatype) :: face(3)
  end type block_of_grid

contains

  integer function iterations()
    iterations = app_steps(10, 260)
  end function iterations

  subroutine make_block(this, grid, place)
    type(block_of_grid), intent(inout) :: this
    integer, intent(in) :: grid(3), place(3)
    integer :: d, i, j, k, s(3)
    real(real32) :: height
    integer(int64) :: number
    this%whole = merge([64, 32, 32], [128, 64, 64], app_quick)
    do d = 1, 3
       this%before(d) = app_before(this%whole(d), grid(d), place(d))
       this%inner(d) = app_before(this%whole(d), grid(d), place(d) + 1) - this%before(d)
    end do
    s = this%inner + 1
    allocate (this%pressure(0:s(1), 0:s(2), 0:s(3)), this%source(0:s(1), 0:s(2), 0:s(3)))
    allocate (this%next(0:s(1), 0:s(2), 0:s(3)), this%bound(0:s(1), 0:s(2), 0:s(3)))
    allocate (this%a(0:s(1), 0:s(2), 0:s(3), 4), this%b(0:s(1), 0:s(2), 0:s(3), 3))
    allocate (this%c(0:s(1), 0:s(2), 0:s(3), 3))
    this%a = 1
    this%a(:, :, :, 4) = 1 / 6.0
    do d = 1, 3
       this%b(:, :, :, d) = 0.02 * d
    end do
    this%c = 1
    this%bound = 1
    do k = 0, s(3)
       height = real(this%before(3) + k) / real(this%whole(3) + 1)
       this%pressure(:, :, k) = height * height
       do j = 0, s(2)
          do i = 0, s(1)
             number = ((this%before(3) + k) * 1024_int64 + this%before(2) + j) * 1024_int64 + this%before(1) + i
             this%source(i, j, k) = real(0.01 * app_noise(number), real32)
          end do
       end do
    end do
    this%next = this%pressure
  end subroutine make_block

  ! A datatype for each of the faces across a dimension, at the first point.
  subroutine make_faces(this)
    type(block_of_grid), intent(inout) :: this
    integer :: d, section(3)
    do d = 1, 3
       section = this%inner + 2
       section(d) = 1
       call MPI_Type_create_subarray(3, this%inner + 2, section, [0, 0, 0], MPI_ORDER_FORTRAN, MPI_REAL, this%face(d))
       call MPI_Type_commit(this%face(d))
       call MPI_Cart_shift(this%comm, d - 1, 1, this%lower(d), this%upper(d))
    end do
  end subroutine make_faces

  subroutine free_faces(this)
    type(block_of_grid), intent(inout) :: this
    integer :: d
    do d = 1, 3
       call MPI_Type_free(this%face(d))
    end do
    call MPI_Comm_free(this%comm)
  end subroutine free_faces

  ! One dimension after the other, so that edges travel, too.
  subroutine exchange(this)
    type(block_of_grid), intent(inout), asynchronous :: this
    type(MPI_Request) :: requests(4)
    integer :: d, one(3), last(3), before_last(3)
    do d = 1, 3
       one = 0
       one(d) = 1
       last = one * (this%inner(d) + 1)
       before_last = one * this%inner(d)
       call receive([0, 0, 0], this%lower(d), 1, requests(1))
       call receive(last, this%upper(d), 2, requests(2))
       call send(before_last, this%upper(d), 1, requests(3))
       call send(one, this%lower(d), 2, requests(4))
       call MPI_Waitall(4, requests, MPI_STATUSES_IGNORE)
    end do
  contains
    subroutine receive(at, rank, tag, request)
      integer, intent(in) :: at(3), rank, tag
      type(MPI_Request), intent(out) :: request
      call MPI_Irecv(this%pressure(at(1), at(2), at(3)), 1, this%face(d), rank, tag, this%comm, request)
    end subroutine receive

    subroutine send(at, rank, tag, request)
      integer, intent(in) :: at(3), rank, tag
      type(MPI_Request), intent(out) :: request
      call MPI_Isend(this%pressure(at(1), at(2), at(3)), 1, this%face(d), rank, tag, this%comm, request)
    end subroutine send
  end subroutine exchange

  ! Returns the block's share of the residual.
  real(real64) function sweep(this)
    type(block_of_grid), intent(inout) :: this
    integer :: j, k
    sweep = 0
    do k = 1, this%inner(3)
       do j = 1, this%inner(2)
          sweep = sweep + sweep_line(this%pressure, this%next, this%a, this%b, this%c, this%source, this%bound, &
               this%inner, j, k)
       end do
    end do
    this%pressure(1:this%inner(1), 1:this%inner(2), 1:this%inner(3)) = &
         this%next(1:this%inner(1), 1:this%inner(2), 1:this%inner(3))
  end function sweep

  real(real64) function sweep_line(p, next, a, b, c, source, bound, inner, j, k)
    integer, intent(in) :: inner(3), j, k
    real(real32), intent(in), dimension(0:inner(1) + 1, 0:inner(2) + 1, 0:inner(3) + 1) :: p, source, bound
    real(real32), intent(in) :: a(0:inner(1) + 1, 0:inner(2) + 1, 0:inner(3) + 1, 4)
    real(real32), intent(in), dimension(0:inner(1) + 1, 0:inner(2) + 1, 0:inner(3) + 1, 3) :: b, c
    real(real32), intent(inout) :: next(0:inner(1) + 1, 0:inner(2) + 1, 0:inner(3) + 1)
    integer :: i
    real(real32) :: sum, change
    sweep_line = 0
    do i = 1, inner(1)
       sum = a(i, j, k, 1) * p(i + 1, j, k) + a(i, j, k, 2) * p(i, j + 1, k) + a(i, j, k, 3) * p(i, j, k + 1) &
            + b(i, j, k, 1) * (p(i + 1, j + 1, k) - p(i + 1, j - 1, k) - p(i - 1, j + 1, k) + p(i - 1, j - 1, k)) &
            + b(i, j, k, 2) * (p(i, j + 1, k + 1) - p(i, j - 1, k + 1) - p(i, j + 1, k - 1) + p(i, j - 1, k - 1)) &
            + b(i, j, k, 3) * (p(i + 1, j, k + 1) - p(i - 1, j, k + 1) - p(i + 1, j, k - 1) + p(i - 1, j, k - 1)) &
            + c(i, j, k, 1) * p(i - 1, j, k) + c(i, j, k, 2) * p(i, j - 1, k) + c(i, j, k, 3) * p(i, j, k - 1) &
            + source(i, j, k)
       change = (sum * a(i, j, k, 4) - p(i, j, k)) * bound(i, j, k)
       sweep_line = sweep_line + change * change
       next(i, j, k) = p(i, j, k) + omega * change
    end do
  end function sweep_line

  ! The sum of the pressures of a block, each with a weight of its own.
  real(real64) function digest(this)
    type(block_of_grid), intent(in) :: this
    integer :: i, j, k
    integer(int64) :: number
    digest = 0
    do k = 1, this%inner(3)
       do j = 1, this%inner(2)
          do i = 1, this%inner(1)
             number = ((this%before(3) + k) * 1024_int64 + this%before(2) + j) * 1024_int64 + this%before(1) + i
             digest = digest + this%pressure(i, j, k) * app_noise(number)
          end do
       end do
    end do
  end function digest

  subroutine parallel(this, residual)
    type(block_of_grid), intent(inout) :: this
    real(real64), intent(out) :: residual
    real(real64) :: mine
    integer :: iteration
    do iteration = 1, iterations()
       mine = sweep(this)
       call exchange(this)
       call MPI_Allreduce(mine, residual, 1, MPI_DOUBLE_PRECISION, MPI_SUM, this%comm)
    end do
  end subroutine parallel

  subroutine serial(results)
    real(real64), intent(out) :: results(:)
    type(block_of_grid) :: whole
    integer :: iteration
    call make_block(whole, [1, 1, 1], [0, 0, 0])
    do iteration = 1, iterations()
       results(1) = sweep(whole)
    end do
    results(2) = digest(whole)
  end subroutine serial

  ! The inner dimension is the last to be split.
  subroutine make_grid(this, grid, place)
    type(block_of_grid), intent(inout) :: this
    integer, intent(out) :: grid(3), place(3)
    integer :: ranks, rank
    call MPI_Comm_size(MPI_COMM_WORLD, ranks)
    grid = 0
    call MPI_Dims_create(ranks, 3, grid)
    grid = grid([3, 1, 2])
    call MPI_Cart_create(MPI_COMM_WORLD, 3, grid, [.false., .false., .false.], .true., this%comm)
    call MPI_Comm_rank(this%comm, rank)
    call MPI_Cart_coords(this%comm, rank, 3, place)
  end subroutine make_grid
end module himeno_block

program himeno_f08
  use himeno_block
  implicit none
  type(block_of_grid) :: mine
  integer :: rank, grid(3), place(3)
  real(real64) :: results(2), start, seconds, longest, sum
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  if (.not. app_options()) call MPI_Abort(MPI_COMM_WORLD, 1)
  call make_grid(mine, grid, place)
  call make_block(mine, grid, place)
  call make_faces(mine)
  call MPI_Barrier(MPI_COMM_WORLD)
  start = MPI_Wtime()
  call parallel(mine, results(1))
  seconds = MPI_Wtime() - start
  call MPI_Reduce(seconds, longest, 1, MPI_DOUBLE_PRECISION, MPI_MAX, 0, MPI_COMM_WORLD)
  sum = digest(mine)
  call MPI_Reduce(sum, results(2), 1, MPI_DOUBLE_PRECISION, MPI_SUM, 0, MPI_COMM_WORLD)
  if (rank == 0) then
     if (.not. app_right(results, 1e-9_real64, serial)) call MPI_Abort(MPI_COMM_WORLD, 1)
     call app_print('himeno_f08', longest)
  end if
  call free_faces(mine)
  call MPI_Finalize()
end program himeno_f08
