/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Psend_init_c and MPI_Precv_init_c, which an erratum of MPI-5.0 added: libraries that were made before have none. */
#include <dlfcn.h>
#include <limits.h>

#include "fortran.h"

/* Earlier libraries take an int, or an MPI_Count; a sign-extended argument suits both. */
typedef app_code start(void *buf, int partitions, MPI_Count count, app_datatype datatype, int peer, int tag, app_comm comm, app_info info,
                  app_request *request);

static app_code begin_partitioned(const char *name, start *earlier, void *buf, int partitions, MPI_Count count,
                                  app_datatype datatype, int peer, int tag, app_comm comm, app_info info,
                                  app_request *request)
{
    start *large = (start *)dlsym(RTLD_DEFAULT, name);
    if (!large && count > INT_MAX)
        return (app_code)raise_comm(comm, APP_MPI_ERR_COUNT);
    return (large ? large : earlier)(buf, partitions, count, datatype, peer, tag, comm, info, request);
}

HIDDEN app_code MPI_Psend_init_c(const void *buf, int partitions, MPI_Count count, app_datatype datatype, int dest, int tag, app_comm comm,
                            app_info info, app_request *request)
{
    return begin_partitioned("MPI_Psend_init_c", (start *)(mpi_function *)MPI_Psend_init, (void *)buf, partitions,
                             count, datatype, dest, tag, comm, info, request);
}

HIDDEN app_code MPI_Precv_init_c(void *buf, int partitions, MPI_Count count, app_datatype datatype, int source, int tag, app_comm comm,
                            app_info info, app_request *request)
{
    return begin_partitioned("MPI_Precv_init_c", (start *)(mpi_function *)MPI_Precv_init, buf, partitions, count,
                             datatype, source, tag, comm, info, request);
}
