/* SPDX-License-Identifier: BSD-3-Clause */
/* Stands in for Open MPI's C++ bindings on machines without them. The header's classes refer to these functions, and every C++ program
 * contains those classes, used or not. A program that calls one of them needs the real library. */
#include <stdio.h>
#include <unistd.h>

#include "convert/types.h"

#ifndef BINDINGS
#define BINDINGS "libmpi_cxx.so.40"
#endif

/* By this the adapter tells it from the bindings. */
extern EXPORTED const char mpi_adapter_stand_in;
const char mpi_adapter_stand_in = 1;

static void refuse(const char *called)
{
    fprintf(stderr, "mpi-adapter: the program calls %s, and the C++ bindings, " BINDINGS ", are not there; install them, or add their "
            "folder to LD_LIBRARY_PATH\n", called);
    _exit(1);
}

#define LACKS(symbol, called)                                                                      \
    EXPORTED void symbol(void);                                                                    \
    void symbol(void) { refuse(called); }

LACKS(_ZN3MPI4CommC2Ev, "MPI::Comm::Comm")
LACKS(_ZN3MPI8Datatype4FreeEv, "MPI::Datatype::Free")
LACKS(_ZN3MPI3Win4FreeEv, "MPI::Win::Free")
LACKS(ompi_mpi_cxx_op_intercept, "an operation in C++")
