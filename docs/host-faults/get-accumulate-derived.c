/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Get_accumulate returns something else than the target's value, if the datatype of origin, result or target is a derived one.
 *
 * of: Open MPI
 * ranks: 2
 * env: OMPI_MCA_osc=rdma OMPI_MCA_btl_vader_single_copy_mechanism=cma
 * section: MPI-4.1, 12.3.4 Accumulate Functions
 * expected: got 7
 * actual: got something else
 *
 * The component rdma is what Open MPI 4.1 takes by itself on one machine. The window has the right value afterwards.
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, first = 0, add = 1, got = 0;
    _Alignas(16) int value = 7;
    MPI_Datatype derived;
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Type_create_indexed_block(1, 1, &first, MPI_INT, &derived);
    MPI_Type_commit(&derived);
    MPI_Win_create(&value, sizeof value, sizeof value, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    if (rank == 0) {
        MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
        MPI_Get_accumulate(&add, 1, derived, &got, 1, derived, 1, 0, 1, derived, MPI_SUM, win);
        MPI_Win_unlock(1, win);
        puts(got == 7 ? "got 7" : "got something else");
    }
    MPI_Win_free(&win);
    MPI_Type_free(&derived);
    MPI_Finalize();
    return 0;
}
