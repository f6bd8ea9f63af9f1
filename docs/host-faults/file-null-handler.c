/* SPDX-License-Identifier: BSD-3-Clause */
/* Each MPI_File_close drops a reference of the error handler of MPI_FILE_NULL, until the handler is no more.
 *
 * of: MPICH
 * section: MPI-4.1, 14.7 I/O Error Handling
 * expected: 10 times closed, same handler: 1
 * actual: ends | 10 times closed, same handler: 0
 */
#include <mpi.h>
#include <stdio.h>

static void handle(MPI_File *file, int *code, ...)
{
    (void)file, (void)code;
}

int main(int argc, char **argv)
{
    MPI_Errhandler ours, found;
    MPI_File file;
    MPI_Init(&argc, &argv);
    MPI_File_create_errhandler(handle, &ours);
    MPI_File_set_errhandler(MPI_FILE_NULL, ours);
    for (int i = 0; i < 10; i++) {
        MPI_File_open(MPI_COMM_SELF, "host-fault.data", MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
        MPI_File_set_errhandler(file, MPI_ERRORS_RETURN);
        MPI_File_close(&file);
    }
    MPI_File_get_errhandler(MPI_FILE_NULL, &found);
    printf("10 times closed, same handler: %d\n", found == ours);
    MPI_Errhandler_free(&found);
    MPI_Errhandler_free(&ours);
    MPI_Finalize();
    return 0;
}
