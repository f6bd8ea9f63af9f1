! SPDX-License-Identifier: BSD-3-Clause
! Constants that are addresses: of variables of the library, whose names are those of common blocks in mpif.h.
module mpi_adapter_sentinels
  implicit none
  public

$variables
end module mpi_adapter_sentinels
