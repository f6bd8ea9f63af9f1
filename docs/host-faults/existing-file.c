/* SPDX-License-Identifier: BSD-3-Clause */
/* Opening a file that exists with MPI_MODE_EXCL: only the first process is told MPI_ERR_FILE_EXISTS.
 *
 * of: MPICH
 * ranks: 2
 * section: MPI-4.1, 14.7 I/O Error Handling
 * expected: both are told: 1
 * actual: both are told: 0
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, class, right, all;
    MPI_File file;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_File_open(MPI_COMM_WORLD, "host-fault.data", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
    MPI_File_close(&file);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Error_class(MPI_File_open(MPI_COMM_WORLD, "host-fault.data", MPI_MODE_CREATE | MPI_MODE_EXCL | MPI_MODE_WRONLY,
                                  MPI_INFO_NULL, &file), &class);
    right = class == MPI_ERR_FILE_EXISTS;
    MPI_Allreduce(&right, &all, 1, MPI_INT, MPI_LAND, MPI_COMM_WORLD);
    if (rank == 0) {
        printf("both are told: %d\n", all);
        MPI_File_delete("host-fault.data", MPI_INFO_NULL);
    }
    MPI_Finalize();
    return 0;
}
