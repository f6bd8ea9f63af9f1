/* SPDX-License-Identifier: BSD-3-Clause */
/* pingpong: two ranks send each other 4 bytes and back; rank 0 prints "pingpong <tab> NS" of half an
 * exchange, the median of batches. pingpong.f90 does the same in Fortran: what it takes longer is what
 * the way from Fortran to C costs (table 3 of the MPI-Adapter papers). */
#include "pingpong.h"

#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, sent = 1, received = 0, exchanges = argc > 1 ? atoi(argv[1]) : 20000;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int batch = 0; batch <= PINGPONG_BATCHES; batch++) {
        MPI_Barrier(MPI_COMM_WORLD);
        double began = MPI_Wtime();
        for (int i = 0; i < exchanges; i++)
            if (rank == 0) {
                MPI_Send(&sent, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
                MPI_Recv(&received, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            } else {
                MPI_Recv(&received, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
                MPI_Send(&sent, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
            }
        pingpong_batch(batch, MPI_Wtime() - began, exchanges);
    }
    if (rank == 0)
        pingpong_print();
    MPI_Finalize();
    return 0;
}
