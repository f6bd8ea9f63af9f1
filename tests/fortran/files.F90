! SPDX-License-Identifier: BSD-3-Clause
!
! Files: every way of reading and writing, views, shared pointers, split collectives, nonblocking
! transfers, data representations with callbacks in Fortran.
! ranks: 2
#include "check.h"

module representation
  USE_MPI
  implicit none
  MPIF_H
  integer :: reads = 0, writes = 0, extents = 0, handled = 0
  integer(kind=MPI_ADDRESS_KIND) :: seen_extra = 0
  logical :: type_known = .true.
contains
#if INTERFACE == 2008
#define BUFFERS type(c_ptr), value :: userbuf, filebuf; integer, pointer :: u(:), f(:)
#define USE_BUFFERS call c_f_pointer(userbuf, u, [int(position) + count]); call c_f_pointer(filebuf, f, [count])
#define USES_C use, intrinsic :: iso_c_binding
#else
#define BUFFERS integer, target :: userbuf(*), filebuf(*); integer, pointer :: u(:), f(:)
#define USE_BUFFERS u => userbuf(1:position + count); f => filebuf(1:count)
#define USES_C
#endif
  ! In the file every integer is one more.
  subroutine read_one_less(userbuf, datatype, count, filebuf, position, extra_state, ierror)
    USES_C
    BUFFERS
    HANDLE(MPI_Datatype) :: datatype
    integer :: count, ierror
    integer(kind=MPI_OFFSET_KIND) :: position
    integer(kind=MPI_ADDRESS_KIND) :: extra_state
    reads = reads + 1
    seen_extra = extra_state
    type_known = type_known .and. datatype == MPI_INTEGER
    USE_BUFFERS
    u(position + 1:position + count) = f - 1
    ierror = MPI_SUCCESS
  end subroutine

  subroutine write_one_more(userbuf, datatype, count, filebuf, position, extra_state, ierror)
    USES_C
    BUFFERS
    HANDLE(MPI_Datatype) :: datatype
    integer :: count, ierror
    integer(kind=MPI_OFFSET_KIND) :: position
    integer(kind=MPI_ADDRESS_KIND) :: extra_state
    writes = writes + 1
    type_known = type_known .and. datatype == MPI_INTEGER
    USE_BUFFERS
    f = u(position + 1:position + count) + 1
    ierror = MPI_SUCCESS
  end subroutine

  subroutine on_file(handle, code)
    HANDLE(MPI_File) :: handle
    integer :: code
    handled = handled + 1
  end subroutine

  subroutine same_extent(datatype, extent, extra_state, ierror)
    HANDLE(MPI_Datatype) :: datatype
    integer(kind=MPI_ADDRESS_KIND) :: extent, extra_state
    integer :: ierror
    extents = extents + 1
    extent = 4
    ierror = MPI_SUCCESS
  end subroutine
end module

program files
  use checks
  use representation
  implicit none
  integer :: ierr, other
  character(len=200) :: directory
  character(len=240) :: path
  HANDLE(MPI_File) :: file

  call check_begin()
  other = 1 - me
  call get_environment_variable('MPI_TEST_DIR', directory)
  ! Open MPI's processes find each other by the last part of the name: it differs from run to run.
  path = trim(directory)//'/a file'//directory(index(directory, '/', back=.true.) + 1:)
  call open_and_describe()
  call at_offsets()
  call own_pointer()
  call shared_pointer()
  call ordered()
  call nonblocking()
  call nonblocking_collective()
  call split()
  call views()
  call close_and_delete()
  call external32()
  if (.not. known_fault('inherited-handler')) call inherited_handler()
  if (.not. known_fault('register-datarep')) call register_twice()
  if (.not. known_fault('datarep-conversions')) call own_representation()
  call check_end('files')

contains

  subroutine expect(got, count)
    STATUS(got)
    integer, intent(in) :: count
    integer :: elements
    call MPI_Get_count(got, MPI_INTEGER, elements, ierr); OK
    IS(elements, count)
  end subroutine

  subroutine open_and_describe()
    integer :: amode
    integer(kind=MPI_OFFSET_KIND) :: size
    logical :: flag
    HANDLE(MPI_Group) :: group
    HANDLE(MPI_Info) :: info
    ! The name is padded with blanks.
    call MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_RDWR + MPI_MODE_CREATE, MPI_INFO_NULL, file, ierr); OK
    TRUE(file /= MPI_FILE_NULL)
    inquire(file=trim(path), exist=flag)
    TRUE(flag)
    call MPI_File_get_amode(file, amode, ierr); OK
    IS(amode, MPI_MODE_RDWR + MPI_MODE_CREATE)
    size = 64
    call MPI_File_set_size(file, size, ierr); OK
    size = 0
    call MPI_File_get_size(file, size, ierr); OK
    IS(size, 64)
    ! Nothing makes preallocation by a rank wait for what another asks.
    call MPI_Barrier(MPI_COMM_WORLD, ierr); OK
    size = 128
    call MPI_File_preallocate(file, size, ierr); OK
    call MPI_File_get_size(file, size, ierr); OK
    if (.not. known_fault('preallocate')) then
      IS(size, 128)
    end if
    if (.not. known_fault('atomicity')) then
      call MPI_File_set_atomicity(file, .true., ierr); OK
      call MPI_File_get_atomicity(file, flag, ierr); OK
      IS(flag, .true.)
    end if
    call MPI_File_set_atomicity(file, .false., ierr); OK
    call MPI_File_get_atomicity(file, flag, ierr); OK
    IS(flag, .false.)
    call MPI_File_get_group(file, group, ierr); OK
    call MPI_Group_size(group, amode, ierr); OK
    IS(amode, 2)
    call MPI_Group_free(group, ierr); OK
    call MPI_File_get_info(file, info, ierr); OK
    call MPI_File_set_info(file, info, ierr); OK
    call MPI_Info_free(info, ierr); OK
    call MPI_File_sync(file, ierr); OK
  end subroutine

  subroutine others_see_it()
    call MPI_File_sync(file, ierr); OK
    call MPI_Barrier(MPI_COMM_WORLD, ierr); OK
    call MPI_File_sync(file, ierr); OK
  end subroutine

  subroutine at_offsets()
    integer :: value(2), in(2)
    integer(kind=MPI_OFFSET_KIND) :: at
    STATUS(got)
    value = [me, 10 + me]
    at = 8 * me
    call MPI_File_write_at(file, at, value, 2, MPI_INTEGER, got, ierr); OK
    call expect(got, 2)
    call others_see_it()
    at = 8 * other
    call MPI_File_read_at(file, at, in, 2, MPI_INTEGER, got, ierr); OK
    call expect(got, 2)
    TRUE(all(in == [other, 10 + other]))
    at = 8 * me
    call MPI_File_write_at_all(file, at, value, 2, MPI_INTEGER, MPI_STATUS_IGNORE, ierr); OK
    call others_see_it()
    at = 8 * other
    call MPI_File_read_at_all(file, at, in, 2, MPI_INTEGER, got, ierr); OK
    call expect(got, 2)
    TRUE(all(in == [other, 10 + other]))
    call others_see_it()
    ! Behind the end there is nothing.
    at = 128
    call MPI_File_read_at(file, at, in, 2, MPI_INTEGER, got, ierr); OK
    call expect(got, 0)
  end subroutine

  subroutine own_pointer()
    integer :: value(2), in(2)
    integer(kind=MPI_OFFSET_KIND) :: at, bytes
    STATUS(got)
    value = [20 + me, 30 + me]
    at = 16 * me
    call MPI_File_seek(file, at, MPI_SEEK_SET, ierr); OK
    call MPI_File_write(file, value, 2, MPI_INTEGER, got, ierr); OK
    call expect(got, 2)
    call MPI_File_get_position(file, at, ierr); OK
    IS(at, 16 * me + 8)
    call MPI_File_get_byte_offset(file, at, bytes, ierr); OK
    IS(bytes, at)
    at = -8
    call MPI_File_seek(file, at, MPI_SEEK_CUR, ierr); OK
    call MPI_File_read(file, in, 2, MPI_INTEGER, got, ierr); OK
    call expect(got, 2)
    TRUE(all(in == value))
    at = -4
    call MPI_File_seek(file, at, MPI_SEEK_END, ierr); OK
    call MPI_File_get_position(file, at, ierr); OK
    IS(at, 124)
    at = 16 * me
    call MPI_File_seek(file, at, MPI_SEEK_SET, ierr); OK
    call MPI_File_write_all(file, value, 2, MPI_INTEGER, got, ierr); OK
    call expect(got, 2)
    call MPI_File_seek(file, at, MPI_SEEK_SET, ierr); OK
    call MPI_File_read_all(file, in, 2, MPI_INTEGER, got, ierr); OK
    TRUE(all(in == value))
  end subroutine

  subroutine shared_pointer()
    integer :: value, in(2)
    integer(kind=MPI_OFFSET_KIND) :: at
    STATUS(got)
    at = 0
    call MPI_File_seek_shared(file, at, MPI_SEEK_SET, ierr); OK
    call MPI_Barrier(MPI_COMM_WORLD, ierr); OK
    value = 5
    call MPI_File_write_shared(file, value, 1, MPI_INTEGER, got, ierr); OK
    call expect(got, 1)
    call MPI_Barrier(MPI_COMM_WORLD, ierr); OK
    call MPI_File_get_position_shared(file, at, ierr); OK
    IS(at, 8)
    call MPI_Barrier(MPI_COMM_WORLD, ierr); OK
    at = 0
    call MPI_File_seek_shared(file, at, MPI_SEEK_SET, ierr); OK
    call MPI_Barrier(MPI_COMM_WORLD, ierr); OK
    call MPI_File_read_shared(file, in, 1, MPI_INTEGER, got, ierr); OK
    call expect(got, 1)
    IS(in(1), 5)
    call MPI_Barrier(MPI_COMM_WORLD, ierr); OK
  end subroutine

  subroutine ordered()
    integer :: value, in
    integer(kind=MPI_OFFSET_KIND) :: at
    STATUS(got)
    at = 0
    call MPI_File_seek_shared(file, at, MPI_SEEK_SET, ierr); OK
    value = 70 + me
    call MPI_File_write_ordered(file, value, 1, MPI_INTEGER, got, ierr); OK
    call expect(got, 1)
    call MPI_File_seek_shared(file, at, MPI_SEEK_SET, ierr); OK
    call MPI_File_read_ordered(file, in, 1, MPI_INTEGER, got, ierr); OK
    IS(in, 70 + me)
  end subroutine

  subroutine nonblocking()
    integer ASYNCHRONOUS_ATTRIBUTE :: value, in
    integer(kind=MPI_OFFSET_KIND) :: at
    HANDLE(MPI_Request) :: request
    STATUS(got)
    value = 80 + me
    at = 4 * me
    call MPI_File_iwrite_at(file, at, value, 1, MPI_INTEGER, request, ierr); OK
    call MPI_Wait(request, got, ierr); OK
    call expect(got, 1)
    call MPI_File_iread_at(file, at, in, 1, MPI_INTEGER, request, ierr); OK
    call MPI_Wait(request, got, ierr); OK
    IS(in, value)
    call MPI_File_seek(file, at, MPI_SEEK_SET, ierr); OK
    call MPI_File_iwrite(file, value, 1, MPI_INTEGER, request, ierr); OK
    call MPI_Wait(request, MPI_STATUS_IGNORE, ierr); OK
    call MPI_File_seek(file, at, MPI_SEEK_SET, ierr); OK
    in = 0
    call MPI_File_iread(file, in, 1, MPI_INTEGER, request, ierr); OK
    call MPI_Wait(request, MPI_STATUS_IGNORE, ierr); OK
    IS(in, value)
    call MPI_File_iwrite_shared(file, value, 1, MPI_INTEGER, request, ierr); OK
    call MPI_Wait(request, MPI_STATUS_IGNORE, ierr); OK
    call MPI_File_iread_shared(file, in, 1, MPI_INTEGER, request, ierr); OK
    call MPI_Wait(request, MPI_STATUS_IGNORE, ierr); OK
    call MPI_Barrier(MPI_COMM_WORLD, ierr); OK
  end subroutine

  subroutine nonblocking_collective()
    integer ASYNCHRONOUS_ATTRIBUTE :: value, in
    integer(kind=MPI_OFFSET_KIND) :: at
    HANDLE(MPI_Request) :: request
    value = 90 + me
    at = 4 * me
    call MPI_File_iwrite_at_all(file, at, value, 1, MPI_INTEGER, request, ierr); OK
    call MPI_Wait(request, MPI_STATUS_IGNORE, ierr); OK
    call MPI_File_iread_at_all(file, at, in, 1, MPI_INTEGER, request, ierr); OK
    call MPI_Wait(request, MPI_STATUS_IGNORE, ierr); OK
    IS(in, value)
    call MPI_File_seek(file, at, MPI_SEEK_SET, ierr); OK
    call MPI_File_iwrite_all(file, value, 1, MPI_INTEGER, request, ierr); OK
    call MPI_Wait(request, MPI_STATUS_IGNORE, ierr); OK
    call MPI_File_seek(file, at, MPI_SEEK_SET, ierr); OK
    in = 0
    call MPI_File_iread_all(file, in, 1, MPI_INTEGER, request, ierr); OK
    call MPI_Wait(request, MPI_STATUS_IGNORE, ierr); OK
    IS(in, value)
  end subroutine

  subroutine split()
    integer ASYNCHRONOUS_ATTRIBUTE :: value, in
    integer(kind=MPI_OFFSET_KIND) :: at
    STATUS(got)
    value = 95 + me
    at = 4 * me
    call MPI_File_write_at_all_begin(file, at, value, 1, MPI_INTEGER, ierr); OK
    call MPI_File_write_at_all_end(file, value, got, ierr); OK
    call expect(got, 1)
    call MPI_File_read_at_all_begin(file, at, in, 1, MPI_INTEGER, ierr); OK
    call MPI_File_read_at_all_end(file, in, got, ierr); OK
    call expect(got, 1)
    IS(in, value)
    call MPI_File_seek(file, at, MPI_SEEK_SET, ierr); OK
    call MPI_File_write_all_begin(file, value, 1, MPI_INTEGER, ierr); OK
    call MPI_File_write_all_end(file, value, MPI_STATUS_IGNORE, ierr); OK
    call MPI_File_seek(file, at, MPI_SEEK_SET, ierr); OK
    in = 0
    call MPI_File_read_all_begin(file, in, 1, MPI_INTEGER, ierr); OK
    call MPI_File_read_all_end(file, in, got, ierr); OK
    IS(in, value)
    at = 0
    call MPI_File_seek_shared(file, at, MPI_SEEK_SET, ierr); OK
    call MPI_File_write_ordered_begin(file, value, 1, MPI_INTEGER, ierr); OK
    call MPI_File_write_ordered_end(file, value, got, ierr); OK
    call MPI_File_seek_shared(file, at, MPI_SEEK_SET, ierr); OK
    in = 0
    call MPI_File_read_ordered_begin(file, in, 1, MPI_INTEGER, ierr); OK
    call MPI_File_read_ordered_end(file, in, got, ierr); OK
    call expect(got, 1)
    IS(in, value)
  end subroutine

  ! The ranks take turns, two integers each.
  subroutine views()
    HANDLE(MPI_Datatype) :: turns
    HANDLE(MPI_Datatype) :: etype
    HANDLE(MPI_Datatype) :: filetype
    integer(kind=MPI_OFFSET_KIND) :: at, bytes
    integer(kind=MPI_ADDRESS_KIND) :: extent
    integer :: value(4), all(8), i
    character(len=MPI_MAX_DATAREP_STRING) :: name
    STATUS(got)
    call MPI_Type_vector(1, 2, 4, MPI_INTEGER, filetype, ierr); OK
    call MPI_Type_create_resized(filetype, 0_MPI_ADDRESS_KIND, 16_MPI_ADDRESS_KIND, turns, ierr); OK
    call MPI_Type_commit(turns, ierr); OK
    call MPI_Type_free(filetype, ierr); OK
    at = 8 * me
    call MPI_File_set_view(file, at, MPI_INTEGER, turns, 'native', MPI_INFO_NULL, ierr); OK
    name = repeat('x', len(name))
    call MPI_File_get_view(file, bytes, etype, filetype, name, ierr); OK
    IS(bytes, 8 * me)
    IS(name, 'native')
    TRUE(etype == MPI_INTEGER)
    call MPI_File_get_type_extent(file, MPI_INTEGER, extent, ierr); OK
    IS(extent, 4)
    value = [(1000 * me + i, i = 1, 4)]
    at = 0
    call MPI_File_write_at_all(file, at, value, 4, MPI_INTEGER, got, ierr); OK
    call expect(got, 4)
    at = 2
    call MPI_File_get_byte_offset(file, at, bytes, ierr); OK
    IS(bytes, 8 * me + 16)
    call others_see_it()
    at = 0
    call MPI_File_set_view(file, at, MPI_INTEGER, MPI_INTEGER, 'native  ', MPI_INFO_NULL, ierr); OK
    call MPI_File_read_at_all(file, at, all, 8, MPI_INTEGER, got, ierr); OK
    TRUE(all(1) == 1 .and. all(2) == 2 .and. all(3) == 1001 .and. all(4) == 1002 .and. all(5) == 3)
    IS(all(8), 1004)
    call MPI_Type_free(turns, ierr); OK
  end subroutine

  subroutine close_and_delete()
    logical :: flag
    call MPI_File_close(file, ierr); OK
    TRUE(file == MPI_FILE_NULL)
    if (me == 0) then
      call MPI_File_delete(path, MPI_INFO_NULL, ierr); OK
      inquire(file=trim(path), exist=flag)
      FALSE(flag)
      call MPI_File_delete(path, MPI_INFO_NULL, ierr)
      FAILS(MPI_ERR_NO_SUCH_FILE)
    end if
    call MPI_Barrier(MPI_COMM_WORLD, ierr); OK
  end subroutine

  ! The file's content is big-endian.
  subroutine external32()
    integer(kind=MPI_OFFSET_KIND) :: at
    integer(kind=1) :: bytes(4)
    integer :: value
    call MPI_File_open(MPI_COMM_SELF, trim(path)//char(ichar('0') + me), MPI_MODE_RDWR + MPI_MODE_CREATE + &
      MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, file, ierr); OK
    at = 0
    call MPI_File_set_view(file, at, MPI_INTEGER, MPI_INTEGER, 'external32', MPI_INFO_NULL, ierr); OK
    value = 258
    call MPI_File_write_at(file, at, value, 1, MPI_INTEGER, MPI_STATUS_IGNORE, ierr); OK
    call MPI_File_set_view(file, at, MPI_BYTE, MPI_BYTE, 'native', MPI_INFO_NULL, ierr); OK
    call MPI_File_read_at(file, at, bytes, 4, MPI_BYTE, MPI_STATUS_IGNORE, ierr); OK
    TRUE(all(bytes == [0, 0, 1, 2]))
    call MPI_File_close(file, ierr); OK
  end subroutine

  ! Files inherit the error handler of MPI_FILE_NULL, which outlives them.
  subroutine inherited_handler()
    HANDLE(MPI_Errhandler) :: handler
    integer :: i
    call MPI_File_create_errhandler(on_file, handler, ierr); OK
    call MPI_File_set_errhandler(MPI_FILE_NULL, handler, ierr); OK
    do i = 1, 5
      call MPI_File_open(MPI_COMM_SELF, trim(path)//char(ichar('0') + me), MPI_MODE_RDWR + MPI_MODE_CREATE + &
        MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, file, ierr); OK
      call MPI_File_call_errhandler(file, MPI_ERR_OTHER, ierr); OK
      call MPI_File_close(file, ierr); OK
      IS(handled, i)
    end do
    call MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_RETURN, ierr); OK
    call MPI_Errhandler_free(handler, ierr); OK
  end subroutine

  ! Without conversions.
  subroutine register_twice()
#if INTERFACE == 90 && defined(MPICH)
    external :: MPI_CONVERSION_FN_NULL
#endif
    integer(kind=MPI_ADDRESS_KIND) :: extra
    extra = 0
    call MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_RETURN, ierr); OK
    call MPI_Register_datarep('as it is  ', MPI_CONVERSION_FN_NULL, MPI_CONVERSION_FN_NULL, same_extent, extra, ierr); OK
    call MPI_Register_datarep('as it is', MPI_CONVERSION_FN_NULL, MPI_CONVERSION_FN_NULL, same_extent, extra, ierr)
    FAILS(MPI_ERR_DUP_DATAREP)
  end subroutine

  subroutine own_representation()
    integer(kind=MPI_OFFSET_KIND) :: at
    integer(kind=MPI_ADDRESS_KIND) :: extra
    integer :: value(2)
    extra = 1234567890123_8
    call MPI_Register_datarep('one more', read_one_less, write_one_more, same_extent, extra, ierr); OK
    call MPI_File_open(MPI_COMM_SELF, trim(path)//char(ichar('0') + me), MPI_MODE_RDWR + MPI_MODE_CREATE + &
      MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, file, ierr); OK
    at = 0
    call MPI_File_set_view(file, at, MPI_INTEGER, MPI_INTEGER, 'one more', MPI_INFO_NULL, ierr); OK
    value = [5, 6]
    call MPI_File_write_at(file, at, value, 2, MPI_INTEGER, MPI_STATUS_IGNORE, ierr); OK
    value = 0
    call MPI_File_read_at(file, at, value, 2, MPI_INTEGER, MPI_STATUS_IGNORE, ierr); OK
    TRUE(all(value == [5, 6]))
    TRUE(reads > 0 .and. writes > 0)
    TRUE(type_known)
    IS(seen_extra, extra)
    call MPI_File_close(file, ierr); OK
  end subroutine
end program
