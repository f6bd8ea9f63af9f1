/* SPDX-License-Identifier: BSD-3-Clause */
/* A data representation cannot be registered at all; or registering one twice ends the program, where it is an error.
 *
 * of: MPICH, Open MPI
 * section: MPI-4.1, 14.5.3 User-Defined Data Representations
 * expected: registered: 1, again: MPI_ERR_DUP_DATAREP
 * actual: ends | registered: 0, again: * | registered: 1, again: another error
 */
#include <mpi.h>
#include <stdio.h>

static int extent(MPI_Datatype type, MPI_Aint *bytes, void *state)
{
    (void)type, (void)state;
    *bytes = 4;
    return MPI_SUCCESS;
}

int main(int argc, char **argv)
{
    int code, again, class;
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    code = MPI_Register_datarep("ours", MPI_CONVERSION_FN_NULL, MPI_CONVERSION_FN_NULL, extent, NULL);
    again = MPI_Register_datarep("ours", MPI_CONVERSION_FN_NULL, MPI_CONVERSION_FN_NULL, extent, NULL);
    MPI_Error_class(again, &class);
    printf("registered: %d, again: %s\n", code == MPI_SUCCESS, class == MPI_ERR_DUP_DATAREP ? "MPI_ERR_DUP_DATAREP" : "another error");
    MPI_Finalize();
    return 0;
}
