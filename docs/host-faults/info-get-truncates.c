/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Info_get takes a value that is longer than valuelen for an error. It has to truncate.
 *
 * of: MPICH
 * section: MPI-4.1, 16.3 Deprecated since MPI-4.0 (MPI-3.1, 9)
 * expected: success: 1, value: abc
 * actual: success: 0, value: abc
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    char value[8] = "";
    int found, code;
    MPI_Info info;
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    MPI_Info_create(&info);
    MPI_Info_set(info, "key", "abcdef");
    code = MPI_Info_get(info, "key", 3, value, &found);
    printf("success: %d, value: %s\n", code == MPI_SUCCESS, value);
    MPI_Info_free(&info);
    MPI_Finalize();
    return 0;
}
