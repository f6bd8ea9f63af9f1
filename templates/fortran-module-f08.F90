! SPDX-License-Identifier: BSD-3-Clause
! The module mpi_f08 (MPI-4.1 section 19.1.2). Procedures with choice buffers are BIND(C), so that each compiler
! describes arrays as the Fortran standard says; all others are external procedures with a name of their own. With gfortran since 12
! those whose buffers are not ASYNCHRONOUS are such, too, and take its own array descriptors: release 16.2 passes the value of an
! expression to a BIND(C) procedure as its address. Other buffers have to stay where they are: for procedures that are not BIND(C)
! gfortran copies sections of components and of substrings. Before 12 it passes these the wrong address of a CHARACTER constant.
#ifdef __flang__
#define CHOICE real, dimension(*)
#else
#define CHOICE type(*), dimension(*)
#endif
#if defined __GFORTRAN__ && __GNUC__ >= 12
#define OF_GFORTRAN
#endif
#if defined __x86_64__
#define HAS_REAL10
#endif
#if !defined __flang__ || !defined __x86_64__
#define HAS_REAL16
#endif
module mpi_f08
  use, intrinsic :: iso_c_binding, only: C_PTR
  use mpi_f08_types
  use mpi_f08_callbacks
  use mpi_adapter_sentinels
  implicit none
  public

  logical, parameter :: MPI_SUBARRAYS_SUPPORTED = .true.
  logical, parameter :: MPI_ASYNC_PROTECTS_NONBLOCKING = .true.
$constants

$statuses

  procedure(MPI_Comm_copy_attr_function) :: MPI_COMM_DUP_FN, MPI_COMM_NULL_COPY_FN
  procedure(MPI_Comm_delete_attr_function) :: MPI_COMM_NULL_DELETE_FN
  procedure(MPI_Type_copy_attr_function) :: MPI_TYPE_DUP_FN, MPI_TYPE_NULL_COPY_FN
  procedure(MPI_Type_delete_attr_function) :: MPI_TYPE_NULL_DELETE_FN
  procedure(MPI_Win_copy_attr_function) :: MPI_WIN_DUP_FN, MPI_WIN_NULL_COPY_FN
  procedure(MPI_Win_delete_attr_function) :: MPI_WIN_NULL_DELETE_FN
  procedure(MPI_Datarep_conversion_function) :: MPI_CONVERSION_FN_NULL
  procedure(MPI_Datarep_conversion_function_c) :: MPI_CONVERSION_FN_NULL_C

  interface MPI_F_sync_reg
    subroutine MPI_F_sync_reg_f08ts(buf) bind(C, name="mpi_f_sync_reg_f08ts_")
      type(*), dimension(..), asynchronous :: buf
    end subroutine
  end interface
  interface PMPI_F_sync_reg
    subroutine PMPI_F_sync_reg_f08ts(buf) bind(C, name="pmpi_f_sync_reg_f08ts_")
      type(*), dimension(..), asynchronous :: buf
    end subroutine
  end interface

  interface
    subroutine MPI_Status_f2f08(f_status, f08_status, ierror)
      import
      integer, intent(in) :: f_status(MPI_STATUS_SIZE)
      type(MPI_Status), intent(out) :: f08_status
      integer, optional, intent(out) :: ierror
    end subroutine
    subroutine MPI_Status_f082f(f08_status, f_status, ierror)
      import
      type(MPI_Status), intent(in) :: f08_status
      integer, intent(out) :: f_status(MPI_STATUS_SIZE)
      integer, optional, intent(out) :: ierror
    end subroutine
    subroutine PMPI_Status_f2f08(f_status, f08_status, ierror)
      import
      integer, intent(in) :: f_status(MPI_STATUS_SIZE)
      type(MPI_Status), intent(out) :: f08_status
      integer, optional, intent(out) :: ierror
    end subroutine
    subroutine PMPI_Status_f082f(f08_status, f_status, ierror)
      import
      type(MPI_Status), intent(in) :: f08_status
      integer, intent(out) :: f_status(MPI_STATUS_SIZE)
      integer, optional, intent(out) :: ierror
    end subroutine
  end interface

$sizeof

$interfaces
end module mpi_f08
