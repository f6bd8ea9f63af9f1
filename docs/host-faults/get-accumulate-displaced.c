/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Get_accumulate leaves what it got beside the place that the result's datatype names, if that begins with a gap.
 *
 * of: Open MPI
 * ranks: 2
 * section: MPI-4.1, 12.3.4 Accumulate Functions
 * expected: got 7 at its place
 * actual: got something else
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, first = 0, second = 1, value = 7, add[2] = {1, 1}, got[4] = {0, 0, 0, 0};
    MPI_Datatype displaced, whole;
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Type_create_indexed_block(1, 1, &second, MPI_INT, &displaced);
    MPI_Type_commit(&displaced);
    MPI_Type_create_indexed_block(1, 1, &first, MPI_INT, &whole);
    MPI_Type_commit(&whole);
    MPI_Win_create(&value, sizeof value, sizeof value, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    if (rank == 0) {
        MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
        MPI_Get_accumulate(add, 1, displaced, got, 1, displaced, 1, 0, 1, whole, MPI_SUM, win);
        MPI_Win_unlock(1, win);
        puts(got[1] == 7 ? "got 7 at its place" : "got something else");
    }
    MPI_Win_free(&win);
    MPI_Type_free(&displaced);
    MPI_Type_free(&whole);
    MPI_Finalize();
    return 0;
}
