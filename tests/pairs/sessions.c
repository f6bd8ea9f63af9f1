/* SPDX-License-Identifier: BSD-3-Clause */
/* Three sessions, one after the other; before the third, the library that the argument names is loaded. */
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>

static int begin_and_end(void)
{
    MPI_Session session;
    return MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session) == MPI_SUCCESS &&
           MPI_Session_finalize(&session) == MPI_SUCCESS;
}

int main(int argc, char **argv)
{
    MPI_Session kept;
    if (argc != 2 || MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &kept) != MPI_SUCCESS)
        return 1;
    for (int i = 0; i < 3; i++) {
        fprintf(stderr, "session %d\n", i);
        if (!begin_and_end() || (i == 1 && !dlopen(argv[1], RTLD_NOW)))
            return 1;
    }
    return MPI_Session_finalize(&kept) != MPI_SUCCESS;
}
