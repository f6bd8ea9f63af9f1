/* SPDX-License-Identifier: BSD-3-Clause */
/* The class of an error class that the program added is MPI_ERR_UNKNOWN. A class is a code of itself.
 *
 * of: Open MPI
 * section: MPI-4.1, 9.4 Error Codes and Classes; 9.5
 * expected: of itself: 1
 * actual: of itself: 0
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int class, found = -1;
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Add_error_class(&class);
    MPI_Error_class(class, &found);
    printf("of itself: %d\n", found == class);
    MPI_Finalize();
    return 0;
}
