/* SPDX-License-Identifier: BSD-3-Clause */
/* A view of the data representation "internal" is refused, or said to be another.
 *
 * of: MPICH, Open MPI
 * section: MPI-4.1, 14.5 File Interoperability
 * expected: success: 1, internal
 * actual: success: 1, native | success: 0, none
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    char name[MPI_MAX_DATAREP_STRING] = "none";
    MPI_File file;
    MPI_Offset offset;
    MPI_Datatype of, view;
    int code;
    MPI_Init(&argc, &argv);
    MPI_File_open(MPI_COMM_SELF, "host-fault.data", MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
    code = MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "internal", MPI_INFO_NULL);
    if (code == MPI_SUCCESS)
        MPI_File_get_view(file, &offset, &of, &view, name);
    printf("success: %d, %s\n", code == MPI_SUCCESS, name);
    MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}
