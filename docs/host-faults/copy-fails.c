/* SPDX-License-Identifier: BSD-3-Clause */
/* An intercommunicator whose attribute a copy function refuses in MPI_Comm_dup: the program crashes later.
 *
 * of: Open MPI
 * ranks: 2
 * section: MPI-4.1, 7.7.2 Communicators
 * expected: went on
 * actual: ends
 */
#include <mpi.h>
#include <stdio.h>

static int refuse(MPI_Comm comm, int key, void *state, void *in, void *out, int *copy)
{
    (void)comm, (void)key, (void)state, (void)in, (void)out, (void)copy;
    return MPI_ERR_OTHER;
}

int main(int argc, char **argv)
{
    int rank, key;
    MPI_Comm alone, between, copy;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank, 0, &alone);
    MPI_Intercomm_create(alone, 0, MPI_COMM_WORLD, 1 - rank, 5, &between);
    MPI_Comm_set_errhandler(between, MPI_ERRORS_RETURN);
    MPI_Comm_create_keyval(refuse, MPI_COMM_NULL_DELETE_FN, &key, NULL);
    MPI_Comm_set_attr(between, key, NULL);
    for (int i = 0; i < 3; i++)
        MPI_Comm_dup(between, &copy);
    MPI_Comm_free(&between);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        printf("went on\n");
    MPI_Finalize();
    return 0;
}
