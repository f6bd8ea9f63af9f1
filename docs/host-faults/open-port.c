/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI over UCX opens no ports, on which connecting, joining and publishing depend.
 *
 * of: MPICH
 * section: MPI-4.1, 11.9.2 Server Routines
 * expected: opened: 1
 * actual: opened: 0
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    char name[MPI_MAX_PORT_NAME];
    int code;
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    code = MPI_Open_port(MPI_INFO_NULL, name);
    printf("opened: %d\n", code == MPI_SUCCESS);
    if (code == MPI_SUCCESS)
        MPI_Close_port(name);
    MPI_Finalize();
    return 0;
}
