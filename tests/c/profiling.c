/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks: 2 */
/* preload: profiling_tool */
/* libs: -ldl */
/* A preloaded tool defines MPI_Send, MPI_Comm_rank and MPI_Init over PMPI. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "check.h"
#include <dlfcn.h>

int main(int argc, char **argv)
{
    int value = 5, got = 0;
    check_begin(&argc, &argv);
    int *sends = (int *)dlsym(RTLD_DEFAULT, "tool_sends"), *inits = (int *)dlsym(RTLD_DEFAULT, "tool_inits");
    int *callbacks = (int *)dlsym(RTLD_DEFAULT, "tool_ranks");
    CHECK(sends && inits && callbacks);
    if (sends && inits && callbacks) {
        CHECK_INT(*inits, 1);
        CHECK(*callbacks >= 1);
        for (int i = 0; i < 3; i++) {
            if (check_rank == 0)
                OK(MPI_Send(&value, 1, MPI_INT, 1, i, MPI_COMM_WORLD));
            else
                OK(MPI_Recv(&got, 1, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        }
        CHECK_INT(*sends, check_rank == 0 ? 3 : 0);
        OK(PMPI_Sendrecv(&value, 1, MPI_INT, check_rank, 0, &got, 1, MPI_INT, check_rank, 0,
                         MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        /* The library's own sends are not the application's. */
        OK(MPI_Barrier(MPI_COMM_WORLD));
        CHECK_INT(*sends, check_rank == 0 ? 3 : 0);
    }
    return check_end();
}
