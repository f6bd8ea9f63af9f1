/* SPDX-License-Identifier: BSD-3-Clause */
/* Info objects and error classes before MPI_Init and after MPI_Finalize (MPI-4.1 section 11.4.1). */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    MPI_Info info;
    int class, keys = -1;
    MPI_Info_create(&info);
    MPI_Info_set(info, "key", "value");
    MPI_Init(&argc, &argv);
    MPI_Finalize();
    MPI_Info_get_nkeys(info, &keys);
    MPI_Info_free(&info);
    MPI_Error_class(MPI_ERR_ARG, &class);
    printf("%d key, class %s\n", keys, class == MPI_ERR_ARG ? "right" : "wrong");
    return 0;
}
