/* SPDX-License-Identifier: BSD-3-Clause */
/* The least that a program does with MPI. */
#include <mpi.h>

int main(int count, char **arguments)
{
    MPI_Init(&count, &arguments);
    return MPI_Finalize();
}
