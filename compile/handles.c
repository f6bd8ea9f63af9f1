// SPDX-License-Identifier: BSD-3-Clause
/* MPI_Comm_c2f and its kin, for programs that refer to them without the header, as tests of configure scripts do. They are linked into the
   program itself, because no library of the standard ABI has them. A library that is linked with them hides them; a program cannot, as it may
   need a library of another MPI that refers to these names. */
#define MPI_ADAPTER_INLINE __attribute__((weak))
#include "mpi.h"
