! SPDX-License-Identifier: BSD-3-Clause
! Shared by the kernels in Fortran, free of MPI: the options and the check of
! results, as app.h describes them.
module app
  implicit none
  logical :: app_quick = .false.
  integer :: app_most_steps = huge(0)
  character(len=4096) :: app_file = ' '
  integer, parameter :: real64 = kind(1d0), int64 = selected_int_kind(18)

  abstract interface
     subroutine serial_result(results)
       import real64
       real(real64), intent(out) :: results(:)
     end subroutine serial_result
  end interface

contains

  ! Whether the arguments are as they should be.
  logical function app_options()
    character(len=8) :: size, most
    integer :: status
    call get_command_argument(1, size)
    call get_command_argument(2, app_file)
    call get_command_argument(3, most)
    status = 0
    if (most /= ' ') read (most, *, iostat=status) app_most_steps
    app_quick = size == 'quick'
    app_options = (app_quick .or. size == 'full') .and. command_argument_count() <= 3 .and. status == 0 .and. app_most_steps > 0
    if (.not. app_options) write (0, '(a)') 'usage: KERNEL quick|full [REFERENCE [STEPS]]'
  end function app_options

  ! How many steps a kernel takes that has so many for its sizes.
  integer function app_steps(quick, full)
    integer, intent(in) :: quick, full
    app_steps = min(merge(quick, full, app_quick), app_most_steps)
  end function app_steps

  ! The number of items before a part, where count items are split over parts.
  pure integer function app_before(count, parts, part)
    integer, intent(in) :: count, parts, part
    app_before = int(int(count, int64) * part / parts)
  end function app_before

  ! 0 <= value < 1, and depends on the number alone.
  pure real(real64) function app_noise(number)
    integer(int64), intent(in) :: number
    integer(int64), parameter :: mask = 2_int64**46 - 1
    integer(int64) :: state
    integer :: round
    state = iand(number + 271828183_int64, mask)
    do round = 1, 3
       state = ieor(state, ishft(state, -21))
       state = iand(mod(state, 2_int64**31) * 1220703125_int64 + ishft(state, -15), mask)
    end do
    app_noise = real(state, real64) / real(mask + 1, real64)
  end function app_noise

  ! Whether the results agree with the serial ones, which are read from the
  ! file, or computed and kept there.
  logical function app_right(results, tolerance, serial)
    real(real64), intent(in) :: results(:), tolerance
    procedure(serial_result) :: serial
    real(real64) :: want(size(results))
    integer :: i
    app_right = .false.
    if (.not. reference_read(want)) then
       call serial(want)
       if (app_file /= ' ') call write_reference(want)
    end if
    do i = 1, size(results)
       if (abs(results(i) - want(i)) <= tolerance * abs(want(i))) cycle
       write (0, '(a,i0,a,es24.16,a,es24.16)') 'result ', i, ' is', results(i), ', not', want(i)
       return
    end do
    app_right = .true.
  end function app_right

  subroutine app_print(name, seconds)
    character(len=*), intent(in) :: name
    real(real64), intent(in) :: seconds
    character(len=20) :: text
    write (text, '(f20.6)') seconds
    write (*, '(3a)') name, ' ', trim(adjustl(text))
  end subroutine app_print

  logical function reference_read(values)
    real(real64), intent(out) :: values(:)
    integer :: unit, status
    reference_read = .false.
    if (app_file == ' ') return
    open (newunit=unit, file=app_file, status='old', action='read', iostat=status)
    if (status /= 0) return
    read (unit, *, iostat=status) values
    close (unit)
    reference_read = .true.
    if (status /= 0) values = -huge(values)
  end function reference_read

  ! The file appears whole or not at all.
  subroutine write_reference(values)
    real(real64), intent(in) :: values(:)
    integer :: unit
    open (newunit=unit, file=trim(app_file)//'.new', status='replace', action='write')
    write (unit, '(es25.17e3)') values
    close (unit)
    call rename(trim(app_file)//'.new', trim(app_file))
  end subroutine write_reference
end module app
