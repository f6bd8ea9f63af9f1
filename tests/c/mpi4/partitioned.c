/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks: 2 */
/* Partitioned communication. */
#include "check.h"

enum { PARTS = 8, EACH = 4 };

static void send_side(double *data, MPI_Request request, int round)
{
    int list[2] = { 6, 2 };
    for (int i = 0; i < PARTS * EACH; i++)
        data[i] = 100 * round + i;
    OK(MPI_Start(&request));
    OK(MPI_Pready(7, request));
    OK(MPI_Pready_range(3, 5, request));
    OK(MPI_Pready_list(2, list, request));
    OK(MPI_Pready(0, request));
    OK(MPI_Pready(1, request));
    OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
}

static void receive_side(const double *data, MPI_Request request, int round)
{
    int flag = 0;
    OK(MPI_Start(&request));
    while (!flag)
        OK(MPI_Parrived(request, 4, &flag));
    CHECK(data[4 * EACH] == 100 * round + 4 * EACH);
    OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    for (int i = 0; i < PARTS * EACH; i++)
        CHECK(data[i] == 100 * round + i);
}

static void partitions(void)
{
    double data[PARTS * EACH] = { 0 };
    MPI_Request request, was;
    if (check_rank == 0)
        OK(MPI_Psend_init(data, PARTS, EACH, MPI_DOUBLE, 1, 7, MPI_COMM_WORLD, MPI_INFO_NULL, &request));
    else
        OK(MPI_Precv_init(data, PARTS, EACH, MPI_DOUBLE, 0, 7, MPI_COMM_WORLD, MPI_INFO_NULL, &request));
    was = request;
    for (int round = 0; round < 5; round++) {
        if (check_rank == 0)
            send_side(data, request, round);
        else
            receive_side(data, request, round);
        CHECK(request == was);
    }
    OK(MPI_Request_free(&request));
    CHECK(request == MPI_REQUEST_NULL);
}

int main(int argc, char **argv)
{
    check_begin(&argc, &argv);
    if (!known_fault("partitioned-communication"))
        partitions();
    return check_end();
}
