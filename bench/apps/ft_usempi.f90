! SPDX-License-Identifier: BSD-3-Clause
! A partial differential equation by 3-D Fourier transforms, with "use mpi":
! planes are transformed where they are, then transposed all to all for the
! third dimension. Each step's checksum is reduced.
module ft_part
  use app
  use mpi
  implicit none
  integer, parameter :: samples = 1024, complex64 = kind((1d0, 1d0))

  ! In space, a rank has planes: (x, y, z of mine). In frequency: (z, x, y of mine).
  type part
     integer :: n, mine, first
     logical :: alone = .false.
     complex(complex64), allocatable :: space(:, :, :), frequency(:, :, :), spectrum(:, :, :)
     complex(complex64), allocatable :: out(:, :, :, :), in(:, :, :, :), roots(:)
     real(real64), allocatable :: decay(:)
  end type part

contains

  integer function grid_size()
    grid_size = merge(32, 64, app_quick)
  end function grid_size

  integer function steps()
    steps = app_steps(3, 100)
  end function steps

  subroutine make_part(this, ranks, rank)
    type(part), intent(out) :: this
    integer, intent(in) :: ranks, rank
    integer :: n, m, x, y, z, i
    integer(int64) :: number
    n = grid_size()
    m = n / ranks
    this%n = n
    this%mine = m
    this%first = rank * m
    allocate (this%space(n, n, m), this%frequency(n, n, m), this%spectrum(n, n, m))
    allocate (this%out(m, n, m, ranks), this%in(m, n, m, ranks))
    allocate (this%roots(0:n / 2 - 1), this%decay(0:n / 2))
    do i = 0, n / 2 - 1
       this%roots(i) = exp(cmplx(0, 2 * acos(-1d0) * i / n, complex64))
    end do
    do i = 0, n / 2
       this%decay(i) = exp(-1d-4 * i * i)
    end do
    do z = 1, m
       do y = 1, n
          do x = 1, n
             number = 2 * (((this%first + z) * int(n, int64) + y) * n + x)
             this%space(x, y, z) = cmplx(app_noise(number), app_noise(number + 1), complex64)
          end do
       end do
    end do
  end subroutine make_part

  ! In place, the length a power of two; direction is 1 or -1.
  subroutine transform_line(roots, line, direction)
    complex(complex64), intent(in) :: roots(0:)
    complex(complex64), intent(inout) :: line(0:)
    integer, intent(in) :: direction
    complex(complex64) :: root, turned
    integer :: n, i, j, bit, length, begin, k
    n = size(line)
    j = 0
    do i = 1, n - 1
       bit = n / 2
       do while (iand(j, bit) /= 0)
          j = ieor(j, bit)
          bit = bit / 2
       end do
       j = ieor(j, bit)
       if (i >= j) cycle
       turned = line(i)
       line(i) = line(j)
       line(j) = turned
    end do
    length = 2
    do while (length <= n)
       do begin = 0, n - 1, length
          do k = 0, length / 2 - 1
             root = roots(k * (n / length))
             if (direction < 0) root = conjg(root)
             turned = line(begin + k + length / 2) * root
             line(begin + k + length / 2) = line(begin + k) - turned
             line(begin + k) = line(begin + k) + turned
          end do
       end do
       length = length * 2
    end do
  end subroutine transform_line

  subroutine transform_planes(this, direction)
    type(part), intent(inout) :: this
    integer, intent(in) :: direction
    complex(complex64) :: line(this%n)
    integer :: x, y, z
    do z = 1, this%mine
       do y = 1, this%n
          call transform_line(this%roots, this%space(:, y, z), direction)
       end do
       do x = 1, this%n
          line = this%space(x, :, z)
          call transform_line(this%roots, line, direction)
          this%space(x, :, z) = line
       end do
    end do
  end subroutine transform_planes

  subroutine transform_depth(this, direction)
    type(part), intent(inout) :: this
    integer, intent(in) :: direction
    integer :: x, y
    do y = 1, this%mine
       do x = 1, this%n
          call transform_line(this%roots, this%frequency(:, x, y), direction)
       end do
    end do
  end subroutine transform_depth

  subroutine swap_blocks(this)
    type(part), intent(inout) :: this
    integer :: block, ierror
    if (this%alone) then
       this%in = this%out
       return
    end if
    block = this%mine * this%n * this%mine
    call MPI_Alltoall(this%out, block, MPI_DOUBLE_COMPLEX, this%in, block, MPI_DOUBLE_COMPLEX, &
         MPI_COMM_WORLD, ierror)
  end subroutine swap_blocks

  ! A block is (z of the space's owner, x, y of the frequency's owner).
  subroutine to_frequency(this)
    type(part), intent(inout) :: this
    integer :: x, y, z, owner, m
    m = this%mine
    do owner = 1, this%n / m
       do y = 1, m
          do x = 1, this%n
             do z = 1, m
                this%out(z, x, y, owner) = this%space(x, (owner - 1) * m + y, z)
             end do
          end do
       end do
    end do
    call swap_blocks(this)
    do owner = 1, this%n / m
       this%frequency((owner - 1) * m + 1:owner * m, :, :) = this%in(:, :, :, owner)
    end do
  end subroutine to_frequency

  subroutine to_space(this)
    type(part), intent(inout) :: this
    integer :: x, y, z, owner, m
    m = this%mine
    do owner = 1, this%n / m
       this%out(:, :, :, owner) = this%frequency((owner - 1) * m + 1:owner * m, :, :)
    end do
    call swap_blocks(this)
    do owner = 1, this%n / m
       do z = 1, m
          do y = 1, m
             do x = 1, this%n
                this%space(x, (owner - 1) * m + y, z) = this%in(z, x, y, owner)
             end do
          end do
       end do
    end do
  end subroutine to_space

  integer function wave(n, index)
    integer, intent(in) :: n, index
    wave = min(index, n - index)
  end function wave

  subroutine evolve(this)
    type(part), intent(inout) :: this
    integer :: x, y, z, n
    real(real64) :: factor
    n = this%n
    do y = 1, this%mine
       do x = 1, n
          factor = this%decay(wave(n, this%first + y - 1)) * this%decay(wave(n, x - 1))
          do z = 1, n
             this%spectrum(z, x, y) = this%spectrum(z, x, y) * (factor * this%decay(wave(n, z - 1)))
          end do
       end do
    end do
  end subroutine evolve

  complex(complex64) function checksum(this)
    type(part), intent(in) :: this
    complex(complex64) :: mine
    integer :: sample, z, ierror
    mine = 0
    do sample = 1, samples
       z = modulo(5 * sample, this%n) - this%first
       if (z < 0 .or. z >= this%mine) cycle
       mine = mine + this%space(1 + modulo(sample, this%n), 1 + modulo(3 * sample, this%n), 1 + z)
    end do
    checksum = mine
    if (this%alone) return
    call MPI_Reduce(mine, checksum, 1, MPI_DOUBLE_COMPLEX, MPI_SUM, 0, MPI_COMM_WORLD, ierror)
  end function checksum

  ! Two numbers for each step.
  subroutine solve(this, results)
    type(part), intent(inout) :: this
    real(real64), intent(out) :: results(:)
    complex(complex64) :: sum
    integer :: step
    call transform_planes(this, 1)
    call to_frequency(this)
    call transform_depth(this, 1)
    this%spectrum = this%frequency
    do step = 1, steps()
       call evolve(this)
       this%frequency = this%spectrum
       call transform_depth(this, -1)
       call to_space(this)
       call transform_planes(this, -1)
       sum = checksum(this)
       results(2 * step - 1) = real(sum)
       results(2 * step) = aimag(sum)
    end do
  end subroutine solve

  subroutine serial(results)
    real(real64), intent(out) :: results(:)
    type(part) :: whole
    call make_part(whole, 1, 0)
    whole%alone = .true.
    call solve(whole, results)
  end subroutine serial
end module ft_part

program ft_usempi
  use ft_part
  implicit none
  type(part) :: mine
  integer :: rank, ranks, ierror
  real(real64) :: start, seconds, longest
  real(real64), allocatable :: results(:)
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierror)
  if (.not. app_options()) call MPI_Abort(MPI_COMM_WORLD, 1, ierror)
  if (modulo(grid_size(), ranks) /= 0) then
     write (0, '(a,i0)') 'ft_usempi: the number of ranks must divide ', grid_size()
     call MPI_Abort(MPI_COMM_WORLD, 1, ierror)
  end if
  call make_part(mine, ranks, rank)
  allocate (results(2 * steps()))
  call MPI_Barrier(MPI_COMM_WORLD, ierror)
  start = MPI_Wtime()
  call solve(mine, results)
  seconds = MPI_Wtime() - start
  call MPI_Reduce(seconds, longest, 1, MPI_DOUBLE_PRECISION, MPI_MAX, 0, MPI_COMM_WORLD, ierror)
  if (rank == 0) then
     if (.not. app_right(results, 1e-9_real64, serial)) call MPI_Abort(MPI_COMM_WORLD, 1, ierror)
     call app_print('ft_usempi', longest)
  end if
  call MPI_Finalize(ierror)
end program ft_usempi
