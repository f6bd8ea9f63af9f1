// SPDX-License-Identifier: BSD-3-Clause
// Partitioned communication with itself whose sends are all complete before the first receive starts.
#include <mpi.h>
#include <stdio.h>

enum { ROUNDS = 5 };

int main(int argc, char **argv)
{
    int sum = 0;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    for (int round = 0; round < ROUNDS; round++) {
        MPI_Psend_init(&round, 1, 1, MPI_INT, 0, 0, MPI_COMM_SELF, MPI_INFO_NULL, &request);
        MPI_Start(&request);
        MPI_Pready(0, request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Request_free(&request);
    }
    for (int round = 0; round < ROUNDS; round++) {
        int value = -1;
        MPI_Precv_init(&value, 1, 1, MPI_INT, 0, 0, MPI_COMM_SELF, MPI_INFO_NULL, &request);
        MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Request_free(&request);
        sum += value == round;
    }
    puts(sum == ROUNDS ? "received" : "lost");
    return MPI_Finalize();
}
