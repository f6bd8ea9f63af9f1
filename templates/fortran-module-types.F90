! SPDX-License-Identifier: BSD-3-Clause
! The types of mpi_f08 (MPI-4.1 section 19.1.2): a handle is an integer, a status has C's layout.
module mpi_f08_types
  implicit none
  public

$constants

$types

  type, bind(C) :: MPI_Status
$fields
  end type MPI_Status

$operators
end module mpi_f08_types
