/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks: 1 2 */
/* exit: 7 */
/* MPI_Abort ends all processes with the code it is given. */
#include "check.h"

int main(int argc, char **argv)
{
    check_begin(&argc, &argv);
    if (check_rank == 0)
        MPI_Abort(MPI_COMM_WORLD, 7);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 2;
}
