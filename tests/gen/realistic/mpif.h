! SPDX-License-Identifier: BSD-3-Clause
      include 'mpif-more.h'
      integer MPI_COMM_WORLD, MPI_ANY_SOURCE, PRIVATE_NUMBER
      parameter (MPI_COMM_WORLD=0, MPI_ANY_SOURCE                       &
     &           =-1)
      parameter (PRIVATE_NUMBER=3)
!     parameter (MPI_COMMENTED=1)
      integer MPI_MAX_PORT_NAME
      parameter (MPI_MAX_PORT_NAME=1024-1) ! not parameter (MPI_TAIL=2)
      logical MPI_SUBARRAYS_SUPPORTED, MPI_ASYNC_PROTECTS_NONBLOCKING
      parameter (MPI_SUBARRAYS_SUPPORTED=.true.)
      parameter (MPI_ASYNC_PROTECTS_NONBLOCKING=.false.)
      integer MPI_BOTTOM, MPI_IN_PLACE
      integer MPI_STATUS_IGNORE(MPI_STATUS_SIZE)
      character*1 MPI_ARGV_NULL(1)
      common /MPIPRIV1/ MPI_BOTTOM, MPI_IN_PLACE, MPI_STATUS_IGNORE
      common/mpiprivc/MPI_ARGV_NULL
      save /MPIPRIV1/, /mpiprivc/
