! SPDX-License-Identifier: BSD-3-Clause
  interface MPI_Sizeof
    subroutine MPI_Sizeof_character(x, size, ierror)
      character(len=*), dimension(..), intent(in) :: x
      integer, intent(out) :: size
      integer$optional, intent(out) :: ierror
    end subroutine
    subroutine MPI_Sizeof_logical1(x, size, ierror)
      logical(kind=1), dimension(..), intent(in) :: x
      integer, intent(out) :: size
      integer$optional, intent(out) :: ierror
    end subroutine
    subroutine MPI_Sizeof_logical2(x, size, ierror)
      logical(kind=2), dimension(..), intent(in) :: x
      integer, intent(out) :: size
      integer$optional, intent(out) :: ierror
    end subroutine
    subroutine MPI_Sizeof_logical4(x, size, ierror)
      logical(kind=4), dimension(..), intent(in) :: x
      integer, intent(out) :: size
      integer$optional, intent(out) :: ierror
    end subroutine
    subroutine MPI_Sizeof_logical8(x, size, ierror)
      logical(kind=8), dimension(..), intent(in) :: x
      integer, intent(out) :: size
      integer$optional, intent(out) :: ierror
    end subroutine
    subroutine MPI_Sizeof_integer1(x, size, ierror)
      integer(kind=1), dimension(..), intent(in) :: x
      integer, intent(out) :: size
      integer$optional, intent(out) :: ierror
    end subroutine
    subroutine MPI_Sizeof_integer2(x, size, ierror)
      integer(kind=2), dimension(..), intent(in) :: x
      integer, intent(out) :: size
      integer$optional, intent(out) :: ierror
    end subroutine
    subroutine MPI_Sizeof_integer4(x, size, ierror)
      integer(kind=4), dimension(..), intent(in) :: x
      integer, intent(out) :: size
      integer$optional, intent(out) :: ierror
    end subroutine
    subroutine MPI_Sizeof_integer8(x, size, ierror)
      integer(kind=8), dimension(..), intent(in) :: x
      integer, intent(out) :: size
      integer$optional, intent(out) :: ierror
    end subroutine
    subroutine MPI_Sizeof_integer16(x, size, ierror)
      integer(kind=16), dimension(..), intent(in) :: x
      integer, intent(out) :: size
      integer$optional, intent(out) :: ierror
    end subroutine
    subroutine MPI_Sizeof_real4(x, size, ierror)
      real(kind=4), dimension(..), intent(in) :: x
      integer, intent(out) :: size
      integer$optional, intent(out) :: ierror
    end subroutine
    subroutine MPI_Sizeof_complex4(x, size, ierror)
      complex(kind=4), dimension(..), intent(in) :: x
      integer, intent(out) :: size
      integer$optional, intent(out) :: ierror
    end subroutine
    subroutine MPI_Sizeof_real8(x, size, ierror)
      real(kind=8), dimension(..), intent(in) :: x
      integer, intent(out) :: size
      integer$optional, intent(out) :: ierror
    end subroutine
    subroutine MPI_Sizeof_complex8(x, size, ierror)
      complex(kind=8), dimension(..), intent(in) :: x
      integer, intent(out) :: size
      integer$optional, intent(out) :: ierror
    end subroutine
#ifdef HAS_REAL10
    subroutine MPI_Sizeof_real10(x, size, ierror)
      real(kind=10), dimension(..), intent(in) :: x
      integer, intent(out) :: size
      integer$optional, intent(out) :: ierror
    end subroutine
#endif
#ifdef HAS_REAL10
    subroutine MPI_Sizeof_complex10(x, size, ierror)
      complex(kind=10), dimension(..), intent(in) :: x
      integer, intent(out) :: size
      integer$optional, intent(out) :: ierror
    end subroutine
#endif
#ifdef HAS_REAL16
    subroutine MPI_Sizeof_real16(x, size, ierror)
      real(kind=16), dimension(..), intent(in) :: x
      integer, intent(out) :: size
      integer$optional, intent(out) :: ierror
    end subroutine
#endif
#ifdef HAS_REAL16
    subroutine MPI_Sizeof_complex16(x, size, ierror)
      complex(kind=16), dimension(..), intent(in) :: x
      integer, intent(out) :: size
      integer$optional, intent(out) :: ierror
    end subroutine
#endif
  end interface MPI_Sizeof
  interface PMPI_Sizeof
    subroutine PMPI_Sizeof_character(x, size, ierror)
      character(len=*), dimension(..), intent(in) :: x
      integer, intent(out) :: size
      integer$optional, intent(out) :: ierror
    end subroutine
    subroutine PMPI_Sizeof_logical1(x, size, ierror)
      logical(kind=1), dimension(..), intent(in) :: x
      integer, intent(out) :: size
      integer$optional, intent(out) :: ierror
    end subroutine
    subroutine PMPI_Sizeof_logical2(x, size, ierror)
      logical(kind=2), dimension(..), intent(in) :: x
      integer, intent(out) :: size
      integer$optional, intent(out) :: ierror
    end subroutine
    subroutine PMPI_Sizeof_logical4(x, size, ierror)
      logical(kind=4), dimension(..), intent(in) :: x
      integer, intent(out) :: size
      integer$optional, intent(out) :: ierror
    end subroutine
    subroutine PMPI_Sizeof_logical8(x, size, ierror)
      logical(kind=8), dimension(..), intent(in) :: x
      integer, intent(out) :: size
      integer$optional, intent(out) :: ierror
    end subroutine
    subroutine PMPI_Sizeof_integer1(x, size, ierror)
      integer(kind=1), dimension(..), intent(in) :: x
      integer, intent(out) :: size
      integer$optional, intent(out) :: ierror
    end subroutine
    subroutine PMPI_Sizeof_integer2(x, size, ierror)
      integer(kind=2), dimension(..), intent(in) :: x
      integer, intent(out) :: size
      integer$optional, intent(out) :: ierror
    end subroutine
    subroutine PMPI_Sizeof_integer4(x, size, ierror)
      integer(kind=4), dimension(..), intent(in) :: x
      integer, intent(out) :: size
      integer$optional, intent(out) :: ierror
    end subroutine
    subroutine PMPI_Sizeof_integer8(x, size, ierror)
      integer(kind=8), dimension(..), intent(in) :: x
      integer, intent(out) :: size
      integer$optional, intent(out) :: ierror
    end subroutine
    subroutine PMPI_Sizeof_integer16(x, size, ierror)
      integer(kind=16), dimension(..), intent(in) :: x
      integer, intent(out) :: size
      integer$optional, intent(out) :: ierror
    end subroutine
    subroutine PMPI_Sizeof_real4(x, size, ierror)
      real(kind=4), dimension(..), intent(in) :: x
      integer, intent(out) :: size
      integer$optional, intent(out) :: ierror
    end subroutine
    subroutine PMPI_Sizeof_complex4(x, size, ierror)
      complex(kind=4), dimension(..), intent(in) :: x
      integer, intent(out) :: size
      integer$optional, intent(out) :: ierror
    end subroutine
    subroutine PMPI_Sizeof_real8(x, size, ierror)
      real(kind=8), dimension(..), intent(in) :: x
      integer, intent(out) :: size
      integer$optional, intent(out) :: ierror
    end subroutine
    subroutine PMPI_Sizeof_complex8(x, size, ierror)
      complex(kind=8), dimension(..), intent(in) :: x
      integer, intent(out) :: size
      integer$optional, intent(out) :: ierror
    end subroutine
#ifdef HAS_REAL10
    subroutine PMPI_Sizeof_real10(x, size, ierror)
      real(kind=10), dimension(..), intent(in) :: x
      integer, intent(out) :: size
      integer$optional, intent(out) :: ierror
    end subroutine
#endif
#ifdef HAS_REAL10
    subroutine PMPI_Sizeof_complex10(x, size, ierror)
      complex(kind=10), dimension(..), intent(in) :: x
      integer, intent(out) :: size
      integer$optional, intent(out) :: ierror
    end subroutine
#endif
#ifdef HAS_REAL16
    subroutine PMPI_Sizeof_real16(x, size, ierror)
      real(kind=16), dimension(..), intent(in) :: x
      integer, intent(out) :: size
      integer$optional, intent(out) :: ierror
    end subroutine
#endif
#ifdef HAS_REAL16
    subroutine PMPI_Sizeof_complex16(x, size, ierror)
      complex(kind=16), dimension(..), intent(in) :: x
      integer, intent(out) :: size
      integer$optional, intent(out) :: ierror
    end subroutine
#endif
  end interface PMPI_Sizeof
