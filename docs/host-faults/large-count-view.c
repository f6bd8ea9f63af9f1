/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_File_set_view ends the program if its filetype was made by a procedure of large counts, as MPI_Type_vector_c.
 *
 * of: MPICH
 * needs: MPI_Type_vector_c
 * section: MPI-4.1, 14.3 File Views
 * expected: 0 2 4
 * actual: ends
 */
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int values[] = { 0, 1, 2, 3, 4, 5 }, got[3] = { -1, -1, -1 };
    char path[64];
    MPI_File file;
    MPI_Datatype filetype;
    MPI_Init(&argc, &argv);
    snprintf(path, sizeof path, "/tmp/large-count-view.%d", (int)getpid());
    MPI_File_open(MPI_COMM_SELF, path, MPI_MODE_RDWR | MPI_MODE_CREATE | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
    MPI_File_write(file, values, 6, MPI_INT, MPI_STATUS_IGNORE);
    MPI_Type_vector_c(3, 1, 2, MPI_INT, &filetype);
    MPI_Type_commit(&filetype);
    MPI_File_set_view(file, 0, MPI_INT, filetype, "native", MPI_INFO_NULL);
    MPI_File_read(file, got, 3, MPI_INT, MPI_STATUS_IGNORE);
    printf("%d %d %d\n", got[0], got[1], got[2]);
    MPI_Type_free(&filetype);
    MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}
