! SPDX-License-Identifier: BSD-3-Clause
      integer MPI_STATUS_SIZE
      parameter (MPI_STATUS_SIZE=8)
      integer(kind=8) MPI_DISPLACEMENT_CURRENT
      parameter (MPI_DISPLACEMENT_CURRENT=-54278278)
