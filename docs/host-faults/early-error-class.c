/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Add_error_class before MPI is initialized ends the program. It may be called at any time.
 *
 * of: MPICH, Open MPI
 * section: MPI-4.1, 11.4.1 Starting MPI Processes (functionality that is always available)
 * expected: added: 1
 * actual: ends
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int class = -1, code = MPI_Add_error_class(&class);
    MPI_Init(&argc, &argv);
    printf("added: %d\n", code == MPI_SUCCESS);
    MPI_Finalize();
    return 0;
}
