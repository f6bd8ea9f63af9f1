/* SPDX-License-Identifier: BSD-3-Clause */
/* A host library in front of MPICH's, whose MPI_Init makes a slot of MPICH's lead to the adapter. With SPOIL_STAYS, leak.c leaves the
 * slot out when it is bound again. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdlib.h>

#include "gotswap.h"

int MPI_Init(int *argc, char ***argv)
{
    gotswap_object *object;
    void *adapter = dlsym(RTLD_DEFAULT, "ompi_mpi_group_empty");
    if (getenv("SPOIL_STAYS"))
        setenv("LEAK", "PMPI_Comm_rank", 1);
    int rc = PMPI_Init(argc, argv);
    if (!adapter || gotswap_open(&object, "libmpich.so.12") != GOTSWAP_OK ||
        gotswap_replace(object, "PMPI_Comm_rank", adapter, 0) != GOTSWAP_OK)
        abort();
    gotswap_close(object);
    return rc;
}
