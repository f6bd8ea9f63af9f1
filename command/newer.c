/* SPDX-License-Identifier: BSD-3-Clause */
/* newer.so: procedures that are newer than the ABI's release that the pairs have. The command writes copies of it, for programs that refer
 * to such, in which their names stand for the placeholders here (plan/newer.c). It is preloaded, into what is no MPI program, too: it looks
 * MPI up when it is called. */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>

#include "newer.h"

static int raise_unsupported(const char *name)
{
    int (*raise)(void *, int) = NULL;
    *(void **)&raise = dlsym(RTLD_DEFAULT, "MPI_Comm_call_errhandler");
    fprintf(stderr, "mpi-adapter: %s is newer than MPI-Adapter " ADAPTER_VERSION "; install a newer one, or run the program on an MPI that has it\n",
            name);
    if (raise)
        raise((void *)(uintptr_t)MPI_COMM_SELF, MPI_ERR_UNSUPPORTED_OPERATION);
    return MPI_ERR_UNSUPPORTED_OPERATION;
}

#define TEXT_OF(name) #name
#define TEXT(name) TEXT_OF(name)
#define PROCEDURE(tens, ones)                                                                                   \
    __attribute__((visibility("default"))) int NEWER_PLACE(tens, ones)(void);                                   \
    int NEWER_PLACE(tens, ones)(void) { return raise_unsupported(TEXT(NEWER_PLACE(tens, ones))); }
#define TEN(tens)                                                                                               \
    PROCEDURE(tens, 0) PROCEDURE(tens, 1) PROCEDURE(tens, 2) PROCEDURE(tens, 3) PROCEDURE(tens, 4)              \
    PROCEDURE(tens, 5) PROCEDURE(tens, 6) PROCEDURE(tens, 7) PROCEDURE(tens, 8) PROCEDURE(tens, 9)
TEN(0) TEN(1) TEN(2) TEN(3) TEN(4)
