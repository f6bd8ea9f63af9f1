/* SPDX-License-Identifier: BSD-3-Clause */
/* Three sessions, one after the other; before the third, the library that the argument names is loaded. With a second
 * argument they are beside a world, in which a window was made. */
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>

static int begin_and_end(void)
{
    MPI_Session session;
    return MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session) == MPI_SUCCESS &&
           MPI_Session_finalize(&session) == MPI_SUCCESS;
}

/* At an address for which a host's own slots may get hooks. */
static int make_window(void)
{
    static char room[80] __attribute__((aligned(64)));
    MPI_Win win;
    void *base = NULL;
    int is_there = 0;
    return MPI_Win_create(room + 68, 8, 1, MPI_INFO_NULL, MPI_COMM_SELF, &win) == MPI_SUCCESS &&
           MPI_Win_get_attr(win, MPI_WIN_BASE, &base, &is_there) == MPI_SUCCESS && is_there && base == room + 68 &&
           MPI_Win_free(&win) == MPI_SUCCESS;
}

int main(int argc, char **argv)
{
    MPI_Session kept;
    int has_world = argc == 3;
    if (has_world && (MPI_Init(&argc, &argv) != MPI_SUCCESS || !make_window()))
        return 1;
    if (argc < 2 || MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &kept) != MPI_SUCCESS)
        return 1;
    for (int i = 0; i < 3; i++) {
        fprintf(stderr, "session %d\n", i);
        if (!begin_and_end() || (i == 1 && !dlopen(argv[1], RTLD_NOW)))
            return 1;
    }
    return MPI_Session_finalize(&kept) != MPI_SUCCESS || (has_world && MPI_Finalize() != MPI_SUCCESS);
}
