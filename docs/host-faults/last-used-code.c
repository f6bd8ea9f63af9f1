/* SPDX-License-Identifier: BSD-3-Clause */
/* The attribute MPI_LASTUSEDCODE does not follow when codes are added.
 *
 * of: MPICH
 * section: MPI-4.1, 9.5 Error Classes, Error Codes, and Error Handlers
 * expected: the last used code reaches the new one: 1
 * actual: the last used code reaches the new one: 0
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int class, code, found, *last;
    MPI_Init(&argc, &argv);
    MPI_Add_error_class(&class);
    MPI_Add_error_code(class, &code);
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_LASTUSEDCODE, &last, &found);
    printf("the last used code reaches the new one: %d\n", found && *last >= code && *last >= class);
    MPI_Finalize();
    return 0;
}
