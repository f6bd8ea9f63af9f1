/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Pack into a buffer that is too small is a success, and packs the part that fits.
 *
 * of: MPICH
 * section: MPI-4.1, 5.2 Pack and Unpack
 * expected: fails: 1
 * actual: fails: 0
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int values[20] = { 0 }, position = 0, code;
    char buffer[64];
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    code = MPI_Pack(values, 20, MPI_INT, buffer, sizeof buffer, &position, MPI_COMM_WORLD);
    printf("fails: %d\n", code != MPI_SUCCESS);
    MPI_Finalize();
    return 0;
}
