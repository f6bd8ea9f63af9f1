/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints what MPI tells of how the process was started: RANK KEY=VALUE of MPI_INFO_ENV, and two attributes. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, count, *value, found;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Info_get_nkeys(MPI_INFO_ENV, &count);
    for (int i = 0; i < count; i++) {
        char key[MPI_MAX_INFO_KEY + 1], text[MPI_MAX_INFO_VAL + 1] = "";
        MPI_Info_get_nthkey(MPI_INFO_ENV, i, key);
        MPI_Info_get(MPI_INFO_ENV, key, MPI_MAX_INFO_VAL, text, &found);
        printf("%d %s=%s\n", rank, key, text);
    }
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_UNIVERSE_SIZE, &value, &found);
    if (found)
        printf("%d MPI_UNIVERSE_SIZE is there%s\n", rank, *value > 0 ? "" : ", and wrong");
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_APPNUM, &value, &found);
    printf("%d MPI_APPNUM %d\n", rank, found ? *value : -1);
    MPI_Finalize();
    return 0;
}
