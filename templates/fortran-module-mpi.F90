! SPDX-License-Identifier: BSD-3-Clause
! The module mpi (MPI-4.1 section 19.1.3). Choice buffers take any variable, by what each compiler has for that.
#ifdef __flang__
#define CHOICE real, dimension(*)
#else
#define CHOICE type(*), dimension(*)
#endif
#if defined __x86_64__
#define HAS_REAL10
#endif
#if !defined __flang__ || !defined __x86_64__
#define HAS_REAL16
#endif
module mpi
  use, intrinsic :: iso_c_binding, only: C_PTR
  use mpi_f08_types
  use mpi_adapter_sentinels
  implicit none
  public

  logical, parameter :: MPI_SUBARRAYS_SUPPORTED = .false.
  logical, parameter :: MPI_ASYNC_PROTECTS_NONBLOCKING = .false.
$constants

$statuses

  external :: MPI_DUP_FN, MPI_NULL_COPY_FN, MPI_NULL_DELETE_FN
  external :: MPI_COMM_DUP_FN, MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN
  external :: MPI_TYPE_DUP_FN, MPI_TYPE_NULL_COPY_FN, MPI_TYPE_NULL_DELETE_FN
  external :: MPI_WIN_DUP_FN, MPI_WIN_NULL_COPY_FN, MPI_WIN_NULL_DELETE_FN
  external :: MPI_CONVERSION_FN_NULL

  interface
    subroutine MPI_F_sync_reg(buf)
!GCC$$ ATTRIBUTES NO_ARG_CHECK :: buf
!DIR$$ IGNORE_TKR buf
      CHOICE :: buf
    end subroutine
    subroutine PMPI_F_sync_reg(buf)
!GCC$$ ATTRIBUTES NO_ARG_CHECK :: buf
!DIR$$ IGNORE_TKR buf
      CHOICE :: buf
    end subroutine
    subroutine MPI_Status_f2f08(f_status, f08_status, ierror)
      import
      integer :: f_status(MPI_STATUS_SIZE), ierror
      type(MPI_Status) :: f08_status
    end subroutine
    subroutine MPI_Status_f082f(f08_status, f_status, ierror)
      import
      type(MPI_Status) :: f08_status
      integer :: f_status(MPI_STATUS_SIZE), ierror
    end subroutine
    subroutine PMPI_Status_f2f08(f_status, f08_status, ierror)
      import
      integer :: f_status(MPI_STATUS_SIZE), ierror
      type(MPI_Status) :: f08_status
    end subroutine
    subroutine PMPI_Status_f082f(f08_status, f_status, ierror)
      import
      type(MPI_Status) :: f08_status
      integer :: f_status(MPI_STATUS_SIZE), ierror
    end subroutine
  end interface

$sizeof

$interfaces
end module mpi
