/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Session_create_errhandler before MPI is initialized ends the program. A session needs its handler at its start.
 *
 * of: MPICH
 * needs: MPI_Session_create_errhandler
 * section: MPI-4.1, 9.3.4 Error Handlers for Sessions; 11.4.1
 * expected: created: 1
 * actual: ends
 */
#include <mpi.h>
#include <stdio.h>

static void handle(MPI_Session *session, int *code, ...)
{
    (void)session, (void)code;
}

int main(int argc, char **argv)
{
    MPI_Errhandler ours;
    int code = MPI_Session_create_errhandler(handle, &ours);
    MPI_Init(&argc, &argv);
    printf("created: %d\n", code == MPI_SUCCESS);
    MPI_Finalize();
    return 0;
}
