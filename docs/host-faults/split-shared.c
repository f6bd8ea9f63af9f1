/* SPDX-License-Identifier: BSD-3-Clause */
/* Processes of one machine are not found to share memory.
 *
 * of: MPICH
 * ranks: 2
 * section: MPI-4.1, 7.4.2 Communicator Constructors
 * expected: of one machine: 2, shared window: 1
 * actual: of one machine: 1, shared window: * | ends
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, size, code, *memory;
    MPI_Comm machine;
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine);
    MPI_Comm_size(machine, &size);
    code = MPI_Win_allocate_shared(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    if (rank == 0)
        printf("of one machine: %d, shared window: %d\n", size, code == MPI_SUCCESS);
    if (code == MPI_SUCCESS)
        MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
