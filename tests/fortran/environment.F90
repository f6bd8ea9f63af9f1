! SPDX-License-Identifier: BSD-3-Clause
!
! The environment: versions, names, clocks, error handlers of communicators, windows and files,
! error codes and strings, memory, levels of threads, MPI_Initialized and MPI_Finalized, MPI_Pcontrol.
! ranks: 2
#include "check.h"

module error_callbacks
  USE_MPI
  implicit none
  MPIF_H
  integer :: comm_errors = 0, win_errors = 0, file_errors = 0, seen_code = 0
  HANDLE(MPI_Comm) :: seen_comm
  HANDLE(MPI_Win) :: seen_win
  HANDLE(MPI_File) :: seen_file
contains
  subroutine comm_error(comm, error_code)
    HANDLE(MPI_Comm) :: comm
    integer :: error_code
    comm_errors = comm_errors + 1
    seen_comm = comm
    seen_code = error_code
  end subroutine
  subroutine win_error(win, error_code)
    HANDLE(MPI_Win) :: win
    integer :: error_code
    win_errors = win_errors + 1
    seen_win = win
    seen_code = error_code
  end subroutine
  subroutine file_error(file, error_code)
    HANDLE(MPI_File) :: file
    integer :: error_code
    file_errors = file_errors + 1
    seen_file = file
    seen_code = error_code
  end subroutine
end module

program environment
  use checks
  use error_callbacks
  implicit none
  integer :: ierr

  call before()
  call check_begin()
  call versions()
  call names()
  call clocks()
  call error_strings()
  call error_codes()
  call handlers_of_communicators()
  call predefined_handlers()
  call handlers_of_windows()
  call handlers_of_files()
! The standard ABI lacks procedures that MPI-3.0 removed.
#if INTERFACE != 2008 && !defined(MPIABI)
  call old_handlers()
#endif
  call memory()
  call threads()
  call tools()
  call check_end('environment')
  call after()

contains

  subroutine before()
    logical :: flag
    call MPI_Initialized(flag, ierr); IS(flag, .false.)
    call MPI_Finalized(flag, ierr); IS(flag, .false.)
  end subroutine

  subroutine after()
    logical :: flag
    character(len=MPI_MAX_LIBRARY_VERSION_STRING) :: text
    integer :: length, version, subversion
    call MPI_Initialized(flag, ierr)
    if (.not. flag .or. ierr /= MPI_SUCCESS) stop 2
    call MPI_Finalized(flag, ierr)
    if (.not. flag .or. ierr /= MPI_SUCCESS) stop 3
    call MPI_Get_version(version, subversion, ierr)
    if (version < 3) stop 4
    call MPI_Get_library_version(text, length, ierr)
    if (length < 5 .or. ierr /= MPI_SUCCESS) stop 5
  end subroutine

  subroutine versions()
    integer :: version, subversion, length
    character(len=MPI_MAX_LIBRARY_VERSION_STRING) :: text
    call MPI_Get_version(version, subversion, ierr); OK
    TRUE(10 * version + subversion <= 10 * MPI_VERSION + MPI_SUBVERSION)
    TRUE(MPI_VERSION >= 3)
    text = repeat('x', len(text))
    call MPI_Get_library_version(text, length, ierr); OK
    TRUE(length > 10)
    ! Behind the text there are blanks, and no character that C ends a string with.
    if (.not. known_fault('library-version-length')) then; TRUE(text(length + 1:) == ' '); end if
    if (.not. known_fault('library-version-length')) then; IS(index(text, char(0)), 0); end if
  end subroutine

  subroutine names()
    character(len=MPI_MAX_PROCESSOR_NAME) :: name
    integer :: length
    name = repeat('x', len(name))
    call MPI_Get_processor_name(name, length, ierr); OK
    TRUE(length > 0)
    IS(len_trim(name), length)
    IS(index(name, char(0)), 0)
  end subroutine

  subroutine clocks()
    real(kind=8) :: start, tick
    start = MPI_Wtime()
    TRUE(start >= 0)
    TRUE(MPI_Wtime() >= start)
    tick = MPI_Wtick()
    TRUE(tick > 0 .and. tick < 1)
  end subroutine

  subroutine error_strings()
    character(len=MPI_MAX_ERROR_STRING) :: text
    integer :: length, class
    text = repeat('x', len(text))
    call MPI_Error_string(MPI_ERR_RANK, text, length, ierr); OK
    TRUE(length > 5)
    IS(len_trim(text), length)
    call MPI_Error_class(MPI_ERR_RANK, class, ierr); OK
    IS(class, MPI_ERR_RANK)
    call MPI_Error_string(MPI_SUCCESS, text, length, ierr); OK
    TRUE(length > 0)
  end subroutine

  subroutine error_codes()
    integer :: class, code, got, length
    character(len=MPI_MAX_ERROR_STRING) :: text
    call MPI_Add_error_class(class, ierr); OK
    TRUE(class > MPI_ERR_LASTCODE)
    call MPI_Add_error_code(class, code, ierr); OK
    call MPI_Add_error_string(code, 'the disk is full   ', ierr); OK
    call MPI_Error_class(code, got, ierr); OK
    IS(got, class)
    call MPI_Error_string(code, text, length, ierr); OK
    IS(text, 'the disk is full')
    IS(length, 16)
  end subroutine

  subroutine handlers_of_communicators()
    HANDLE(MPI_Comm) :: comm
    HANDLE(MPI_Comm) :: child
    HANDLE(MPI_Errhandler) :: handler
    HANDLE(MPI_Errhandler) :: got
    integer :: code, class, value
    call MPI_Comm_dup(MPI_COMM_WORLD, comm, ierr); OK
    call MPI_Comm_create_errhandler(comm_error, handler, ierr); OK
    call MPI_Comm_set_errhandler(comm, handler, ierr); OK
    call MPI_Comm_get_errhandler(comm, got, ierr); OK
    TRUE(got == handler)
    call MPI_Errhandler_free(got, ierr); OK
    TRUE(got == MPI_ERRHANDLER_NULL)
    call MPI_Send(value, 1, MPI_INTEGER, 1000, 0, comm, ierr)
    FALSE(ierr == MPI_SUCCESS)
    IS(comm_errors, 1)
    TRUE(seen_comm == comm)
    call MPI_Error_class(seen_code, class, code); IS(code, MPI_SUCCESS)
    IS(class, MPI_ERR_RANK)
    FAILS(MPI_ERR_RANK)
    ! Inherited, and alive when its handle is gone.
    call MPI_Comm_dup(comm, child, ierr); OK
    call MPI_Errhandler_free(handler, ierr); OK
    call MPI_Send(value, -1, MPI_INTEGER, 0, 0, child, ierr)
    FAILS(MPI_ERR_COUNT)
    IS(comm_errors, 2)
    TRUE(seen_comm == child)
    call MPI_Add_error_class(class, ierr); OK
    call MPI_Add_error_code(class, code, ierr); OK
    call MPI_Comm_call_errhandler(child, code, ierr); OK
    IS(comm_errors, 3)
    IS(seen_code, code)
    call MPI_Comm_free(child, ierr); OK
    call MPI_Comm_free(comm, ierr); OK
  end subroutine

  subroutine predefined_handlers()
    HANDLE(MPI_Comm) :: comm
    HANDLE(MPI_Errhandler) :: got
    integer :: value
    call MPI_Comm_dup(MPI_COMM_WORLD, comm, ierr); OK
    call MPI_Comm_get_errhandler(comm, got, ierr); OK
    TRUE(got == MPI_ERRORS_ARE_FATAL)
    call MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN, ierr); OK
    call MPI_Comm_get_errhandler(comm, got, ierr); OK
    TRUE(got == MPI_ERRORS_RETURN)
    call MPI_Recv(value, 1, MPI_INTEGER, 0, -500, comm, MPI_STATUS_IGNORE, ierr)
    FAILS(MPI_ERR_TAG)
    call MPI_Recv(value, 1, MPI_DATATYPE_NULL, 0, 0, comm, MPI_STATUS_IGNORE, ierr)
    FAILS(MPI_ERR_TYPE)
    call MPI_Comm_free(comm, ierr); OK
  end subroutine

  subroutine handlers_of_windows()
    HANDLE(MPI_Win) :: win
    HANDLE(MPI_Errhandler) :: handler
    integer ASYNCHRONOUS_ATTRIBUTE :: memory(4)
    integer(kind=MPI_ADDRESS_KIND) :: size
    size = 16
    call MPI_Win_create(memory, size, 4, MPI_INFO_NULL, MPI_COMM_WORLD, win, ierr); OK
    call MPI_Win_create_errhandler(win_error, handler, ierr); OK
    call MPI_Win_set_errhandler(win, handler, ierr); OK
    call MPI_Win_call_errhandler(win, MPI_ERR_OTHER, ierr); OK
    IS(win_errors, 1)
    TRUE(seen_win == win)
    IS(seen_code, MPI_ERR_OTHER)
    call MPI_Errhandler_free(handler, ierr); OK
    call MPI_Win_get_errhandler(win, handler, ierr); OK
    call MPI_Errhandler_free(handler, ierr); OK
    call MPI_Win_free(win, ierr); OK
    TRUE(win == MPI_WIN_NULL)
  end subroutine

  subroutine handlers_of_files()
    HANDLE(MPI_File) :: file
    HANDLE(MPI_Errhandler) :: handler
    HANDLE(MPI_Errhandler) :: got
    character(len=200) :: directory
    ! Files have the handler of MPI_FILE_NULL, which is MPI_ERRORS_RETURN.
    call MPI_File_get_errhandler(MPI_FILE_NULL, got, ierr); OK
    TRUE(got == MPI_ERRORS_RETURN)
    call get_environment_variable('MPI_TEST_DIR', directory)
    if (.not. known_fault('file-open-fails')) then
      call MPI_File_open(MPI_COMM_SELF, trim(directory)//'/nothing/here', MPI_MODE_RDONLY, MPI_INFO_NULL, file, ierr)
      FAILS(MPI_ERR_NO_SUCH_FILE)
    end if
    call MPI_File_open(MPI_COMM_WORLD, trim(directory)//'/handlers'//directory(index(directory, '/', back=.true.) + 1:), MPI_MODE_RDWR + MPI_MODE_CREATE, MPI_INFO_NULL, &
      file, ierr); OK
    call MPI_File_create_errhandler(file_error, handler, ierr); OK
    call MPI_File_set_errhandler(file, handler, ierr); OK
    call MPI_File_get_errhandler(file, got, ierr); OK
    TRUE(got == handler)
    call MPI_Errhandler_free(got, ierr); OK
    call MPI_File_call_errhandler(file, MPI_ERR_IO, ierr); OK
    IS(file_errors, 1)
    if (.not. known_fault('callback-file')) then; TRUE(seen_file == file); end if
    IS(seen_code, MPI_ERR_IO)
    call MPI_Errhandler_free(handler, ierr); OK
    call MPI_File_close(file, ierr); OK
    TRUE(file == MPI_FILE_NULL)
  end subroutine

#if INTERFACE != 2008 && !defined(MPIABI)
  subroutine old_handlers()
    integer :: comm, handler, got, value
    external :: MPI_Errhandler_create, MPI_Errhandler_set, MPI_Errhandler_get
    call MPI_Comm_dup(MPI_COMM_WORLD, comm, ierr); OK
    call MPI_Errhandler_create(comm_error, handler, ierr); OK
    call MPI_Errhandler_set(comm, handler, ierr); OK
    call MPI_Errhandler_get(comm, got, ierr); OK
    IS(got, handler)
    call MPI_Errhandler_free(got, ierr); OK
    comm_errors = 0
    call MPI_Send(value, 1, MPI_INTEGER, 1000, 0, comm, ierr)
    IS(comm_errors, 1)
    IS(seen_comm, comm)
    call MPI_Errhandler_free(handler, ierr); OK
    call MPI_Comm_free(comm, ierr); OK
  end subroutine
#endif

  subroutine memory()
    use, intrinsic :: iso_c_binding
    integer(kind=MPI_ADDRESS_KIND) :: size
#if INTERFACE == 2008
    type(c_ptr) :: address
    integer, pointer :: values(:)
    size = 400
    call MPI_Alloc_mem(size, MPI_INFO_NULL, address, ierr); OK
    TRUE(c_associated(address))
    call c_f_pointer(address, values, [100])
    values = 7
    IS(sum(values), 700)
    call MPI_Free_mem(values, ierr); OK
#else
    integer :: values(100)
    pointer (address, values)
    size = 400
    call MPI_Alloc_mem(size, MPI_INFO_NULL, address, ierr); OK
    FALSE(address == 0)
    values = 7
    IS(sum(values), 700)
    call MPI_Free_mem(values, ierr); OK
#endif
  end subroutine

  subroutine threads()
    integer :: level
    logical :: flag
    call MPI_Query_thread(level, ierr); OK
    TRUE(level >= MPI_THREAD_SINGLE .and. level <= MPI_THREAD_MULTIPLE)
    call MPI_Is_thread_main(flag, ierr); OK
    IS(flag, .true.)
  end subroutine

  subroutine tools()
    call MPI_Pcontrol(0)
    call MPI_Pcontrol(2)
    TRUE(.true.)
  end subroutine
end program
