/* SPDX-License-Identifier: BSD-3-Clause */
/* Says how many processes a session finds. */
#include <mpi.h>
#include <stdio.h>

int main(void)
{
    MPI_Session session;
    MPI_Group world;
    int size = 0, rank = 0;
    if (MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session) != MPI_SUCCESS)
        return 1;
    MPI_Group_from_session_pset(session, "mpi://WORLD", &world);
    MPI_Group_size(world, &size);
    MPI_Group_rank(world, &rank);
    MPI_Group_free(&world);
    if (rank == 0)
        printf("session of %d\n", size);
    MPI_Session_finalize(&session);
    return 0;
}
