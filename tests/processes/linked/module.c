/* SPDX-License-Identifier: BSD-3-Clause */
/* A module that uses MPI, for a program that does not. */
#include <mpi.h>

static void sum_elements(void *in, void *inout, int *length, MPI_Datatype *datatype)
{
    for (int i = 0; *datatype == MPI_INT && i < *length; i++)
        ((int *)inout)[i] += ((int *)in)[i];
}

int module_run(const char *path)
{
    int four = 4, sum = 0, back = 0, bad = 0;
    MPI_Op op;
    MPI_File file;
    MPI_Init(0, 0);
    MPI_Op_create(sum_elements, 1, &op);
    MPI_Allreduce(&four, &sum, 1, MPI_INT, op, MPI_COMM_WORLD);
    MPI_Op_free(&op);
    bad |= sum != 4;
    bad |= MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL,
                         &file) != MPI_SUCCESS;
    if (!bad) {
        MPI_File_write_at_all(file, 0, &four, 1, MPI_INT, MPI_STATUS_IGNORE);
        MPI_File_read_at_all(file, 0, &back, 1, MPI_INT, MPI_STATUS_IGNORE);
        MPI_File_close(&file);
    }
    MPI_Finalize();
    return bad || back != 4;
}
