! SPDX-License-Identifier: BSD-3-Clause
! Conjugate gradients with mpif.h. The matrix is distributed over a grid of
! ranks by blocks of rows and columns: partial products are added up along rows
! of the grid by pairs of ranks, then exchanged across its diagonal; products of
! vectors are added up by pairs, too. The number of ranks is a power of two.
module cg_part
  use app
  implicit none
  include 'mpif.h'
  integer, parameter :: chords = 6, inner = 25
  integer, parameter :: distances(chords) = [1, 7, 64, 517, 1999, 4673]
  real(real64), parameter :: shift = 10

  ! The grid has rows times columns ranks; columns is rows, or twice as many.
  type part
     integer :: n, rank, rows, columns, row, column
     integer :: first_row, row_count, first_column, column_count
     logical :: alone = .false.
     integer, allocatable :: start(:), position(:)
     real(real64), allocatable :: value(:), x(:), z(:), r(:), p(:), q(:), w(:), other(:)
  end type part

contains

  real(real64) function element(row, column)
    integer, intent(in) :: row, column
    element = app_noise(int(min(row, column), int64) * 65536_int64 * 4 + max(row, column)) - 0.5_real64
  end function element

  ! A row of the matrix, the diagonal last.
  subroutine make_row(n, row, column, value)
    integer, intent(in) :: n, row
    integer, intent(out) :: column(2 * chords + 1)
    real(real64), intent(out) :: value(2 * chords + 1)
    integer :: i
    do i = 1, chords
       column(2 * i - 1) = modulo(row + distances(i), n)
       column(2 * i) = modulo(row - distances(i), n)
    end do
    do i = 1, 2 * chords
       value(i) = element(row, column(i))
    end do
    column(2 * chords + 1) = row
    value(2 * chords + 1) = 0.1_real64 + app_noise(int(row, int64)) + sum(abs(value(1:2 * chords)))
  end subroutine make_row

  subroutine make_part(this, ranks, rank)
    type(part), intent(out) :: this
    integer, intent(in) :: ranks, rank
    integer :: row, i, count, column(2 * chords + 1)
    real(real64) :: value(2 * chords + 1)
    this%n = merge(8192, 65536, app_quick)
    this%rank = rank
    this%rows = 1
    do while (this%rows * this%rows * 4 <= ranks)
       this%rows = this%rows * 2
    end do
    this%columns = ranks / this%rows
    this%row = rank / this%columns
    this%column = modulo(rank, this%columns)
    this%row_count = this%n / this%rows
    this%first_row = this%row * this%row_count
    this%column_count = this%n / this%columns
    this%first_column = this%column * this%column_count
    allocate (this%start(this%row_count + 1), this%position(this%row_count * (2 * chords + 1)))
    allocate (this%value(size(this%position)), this%w(this%row_count), this%other(this%row_count))
    allocate (this%x(this%column_count), this%z(this%column_count), this%r(this%column_count))
    allocate (this%p(this%column_count), this%q(this%column_count))
    count = 0
    do row = 1, this%row_count
       this%start(row) = count + 1
       call make_row(this%n, this%first_row + row - 1, column, value)
       do i = 1, size(column)
          if (column(i) < this%first_column .or. column(i) >= this%first_column + this%column_count) cycle
          count = count + 1
          this%position(count) = column(i) - this%first_column + 1
          this%value(count) = value(i)
       end do
    end do
    this%start(this%row_count + 1) = count + 1
  end subroutine make_part

  ! Every rank sends to one, and receives from the same.
  subroutine exchange(rank, out, out_count, in, in_count)
    integer, intent(in) :: rank, out_count, in_count
    real(real64), intent(in) :: out(*)
    real(real64), intent(inout) :: in(*)
    integer :: request, status(MPI_STATUS_SIZE), ierror
    call MPI_Irecv(in, in_count, MPI_DOUBLE_PRECISION, rank, 1, MPI_COMM_WORLD, request, ierror)
    call MPI_Send(out, out_count, MPI_DOUBLE_PRECISION, rank, 1, MPI_COMM_WORLD, ierror)
    call MPI_Wait(request, status, ierror)
  end subroutine exchange

  ! Every row of the grid has all of both vectors.
  real(real64) function scalar_product(this, a, b)
    type(part), intent(in) :: this
    real(real64), intent(in) :: a(:), b(:)
    real(real64) :: mine(1), other(1)
    integer :: distance
    mine(1) = dot_product(a, b)
    distance = 1
    do while (distance < this%columns .and. .not. this%alone)
       call exchange(this%row * this%columns + ieor(this%column, distance), mine, 1, other, 1)
       mine = mine + other
       distance = distance * 2
    end do
    scalar_product = mine(1)
  end function scalar_product

  ! Sums of w over a row of the grid, in all of its ranks.
  subroutine add_up(this)
    type(part), intent(inout) :: this
    integer :: distance
    distance = 1
    do while (distance < this%columns .and. .not. this%alone)
       call exchange(this%row * this%columns + ieor(this%column, distance), this%w, this%row_count, &
            this%other, this%row_count)
       this%w = this%w + this%other
       distance = distance * 2
    end do
  end subroutine add_up

  ! The share of the columns of this rank, from the rank that has it among its rows.
  subroutine transpose_sums(this, to)
    type(part), intent(inout) :: this
    real(real64), intent(out) :: to(:)
    integer :: offset, partner, factor
    factor = this%columns / this%rows
    offset = (modulo(this%column, factor)) * this%column_count
    partner = (this%column / factor) * this%columns + this%row * factor + modulo(this%column, factor)
    if (partner == this%rank .or. this%alone) then
       to = this%w(offset + 1:offset + this%column_count)
    else
       call exchange(partner, this%w(offset + 1), this%column_count, to, this%column_count)
    end if
  end subroutine transpose_sums

  ! to = A from
  subroutine multiply(this, from, to)
    type(part), intent(inout) :: this
    real(real64), intent(in) :: from(:)
    real(real64), intent(out) :: to(:)
    integer :: row, k
    real(real64) :: sum
    do row = 1, this%row_count
       sum = 0
       do k = this%start(row), this%start(row + 1) - 1
          sum = sum + this%value(k) * from(this%position(k))
       end do
       this%w(row) = sum
    end do
    call add_up(this)
    call transpose_sums(this, to)
  end subroutine multiply

  ! z: an approximate solution of A z = x
  subroutine solve(this)
    type(part), intent(inout) :: this
    real(real64) :: rho, old, alpha
    integer :: step
    this%z = 0
    this%r = this%x
    this%p = this%x
    rho = scalar_product(this, this%r, this%r)
    do step = 1, inner
       call multiply(this, this%p, this%q)
       alpha = rho / scalar_product(this, this%p, this%q)
       this%z = this%z + alpha * this%p
       this%r = this%r - alpha * this%q
       old = rho
       rho = scalar_product(this, this%r, this%r)
       this%p = this%r + (rho / old) * this%p
    end do
  end subroutine solve

  subroutine iterate(this, results)
    type(part), intent(inout) :: this
    real(real64), intent(out) :: results(:)
    integer :: step, i
    this%x = 1
    do step = 1, app_steps(2, 24)
       call solve(this)
       results(1) = shift + 1 / scalar_product(this, this%x, this%z)
       this%x = this%z / sqrt(scalar_product(this, this%z, this%z))
    end do
    do i = 1, this%column_count
       this%q(i) = app_noise(int(this%first_column + i, int64))
    end do
    results(2) = scalar_product(this, this%x, this%q)
  end subroutine iterate

  subroutine serial(results)
    real(real64), intent(out) :: results(:)
    type(part) :: whole
    call make_part(whole, 1, 0)
    whole%alone = .true.
    call iterate(whole, results)
  end subroutine serial
end module cg_part

program cg_mpif
  use cg_part
  implicit none
  type(part) :: mine
  integer :: rank, ranks, ierror
  real(real64) :: results(2), start, seconds, longest
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierror)
  if (.not. app_options()) call MPI_Abort(MPI_COMM_WORLD, 1, ierror)
  if (iand(ranks, ranks - 1) /= 0) then
     write (0, '(a)') 'cg_mpif: the number of ranks must be a power of two'
     call MPI_Abort(MPI_COMM_WORLD, 1, ierror)
  end if
  call make_part(mine, ranks, rank)
  call MPI_Barrier(MPI_COMM_WORLD, ierror)
  start = MPI_Wtime()
  call iterate(mine, results)
  seconds = MPI_Wtime() - start
  call MPI_Reduce(seconds, longest, 1, MPI_DOUBLE_PRECISION, MPI_MAX, 0, MPI_COMM_WORLD, ierror)
  if (rank == 0) then
     if (.not. app_right(results, 1e-9_real64, serial)) call MPI_Abort(MPI_COMM_WORLD, 1, ierror)
     call app_print('cg_mpif', longest)
  end if
  call MPI_Finalize(ierror)
end program cg_mpif
