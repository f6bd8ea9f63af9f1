// SPDX-License-Identifier: BSD-3-Clause
// Partitioned communication with itself, whose procedures it asks for by their names, or (DIRECT) with a child. Says what
// came of it.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>

#ifdef DIRECT
#define NAMED(name) name
#else
#define NAMED(name) ((__typeof__(name) *)dlsym(RTLD_DEFAULT, #name))
#endif

static int unsupported(int code)
{
    int error_class;
    MPI_Error_class(code, &error_class);
    return puts(error_class == MPI_ERR_UNSUPPORTED_OPERATION ? "unsupported" : "failed") < 0;
}

int main(int argc, char **argv)
{
    int values[2] = { 7, 0 }, rc;
    MPI_Comm comm = MPI_COMM_SELF, parent;
    MPI_Request requests[2];
    MPI_Init(&argc, &argv);
    MPI_Comm_get_parent(&parent);
#ifdef DIRECT
    if (parent == MPI_COMM_NULL)
        MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_SELF, &comm, MPI_ERRCODES_IGNORE);
    else
        comm = parent;
#endif
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    rc = NAMED(MPI_Psend_init)(&values[0], 1, 1, MPI_INT, 0, 0, comm, MPI_INFO_NULL, &requests[0]);
    if (rc != MPI_SUCCESS) {
        if (parent == MPI_COMM_NULL)
            unsupported(rc);
        return MPI_Finalize();
    }
    NAMED(MPI_Precv_init)(&values[1], 1, 1, MPI_INT, 0, 0, comm, MPI_INFO_NULL, &requests[1]);
    MPI_Startall(2, requests);
    NAMED(MPI_Pready)(0, requests[0]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    MPI_Request_free(&requests[0]);
    MPI_Request_free(&requests[1]);
    puts(values[1] == 7 ? "received" : "lost");
    return MPI_Finalize();
}
