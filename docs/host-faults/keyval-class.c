/* SPDX-License-Identifier: BSD-3-Clause */
/* An invalid key of an attribute is reported as MPI_ERR_OTHER.
 *
 * of: Open MPI
 * section: MPI-4.1, 9.4 Error Codes and Classes
 * expected: MPI_ERR_KEYVAL: 1
 * actual: MPI_ERR_KEYVAL: 0
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int value = 0, class;
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Error_class(MPI_Comm_set_attr(MPI_COMM_WORLD, MPI_KEYVAL_INVALID, &value), &class);
    printf("MPI_ERR_KEYVAL: %d\n", class == MPI_ERR_KEYVAL);
    MPI_Finalize();
    return 0;
}
