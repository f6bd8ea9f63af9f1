/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks: 1 2 */
/* Cancelled receives: the status tells, also when copied. */
#include "check.h"

static void cancel_and_wait(int copies)
{
    int in = 5, cancelled = 0;
    MPI_Request request, before;
    MPI_Status status = check_poison_status(), copy;
    OK(MPI_Irecv(&in, 1, MPI_INT, MPI_ANY_SOURCE, 123, MPI_COMM_WORLD, &request));
    before = request;
    OK(MPI_Cancel(&request));
    CHECK(request == before);
    OK(MPI_Wait(&request, &status));
    CHECK(request == MPI_REQUEST_NULL);
    copy = status;
    if (copies)
        memset(&status, 0, sizeof status);
    OK(MPI_Test_cancelled(copies ? &copy : &status, &cancelled));
    CHECK_INT(cancelled, 1);
    CHECK_INT(in, 5);
}

static void cancel_among_many(void)
{
    int in[3] = { 0 }, out = 8, cancelled[3];
    MPI_Request three[3];
    MPI_Status statuses[3];
    for (int i = 0; i < 3; i++)
        OK(MPI_Irecv(&in[i], 1, MPI_INT, check_rank, 60 + i, MPI_COMM_WORLD, &three[i]));
    OK(MPI_Send(&out, 1, MPI_INT, check_rank, 60, MPI_COMM_WORLD));
    OK(MPI_Send(&out, 1, MPI_INT, check_rank, 62, MPI_COMM_WORLD));
    OK(MPI_Cancel(&three[1]));
    OK(MPI_Waitall(3, three, statuses));
    for (int i = 0; i < 3; i++)
        OK(MPI_Test_cancelled(&statuses[i], &cancelled[i]));
    CHECK_INT(cancelled[0], 0);
    CHECK_INT(cancelled[1], 1);
    CHECK_INT(cancelled[2], 0);
    CHECK_STATUS(&statuses[2], check_rank, 62, MPI_INT, 1);
}

static void cancel_persistent(void)
{
    int in = 0, cancelled = 0, out = 4;
    MPI_Request request;
    MPI_Status status;
    OK(MPI_Recv_init(&in, 1, MPI_INT, check_rank, 65, MPI_COMM_WORLD, &request));
    OK(MPI_Start(&request));
    OK(MPI_Cancel(&request));
    OK(MPI_Wait(&request, &status));
    OK(MPI_Test_cancelled(&status, &cancelled));
    CHECK_INT(cancelled, 1);
    CHECK(request != MPI_REQUEST_NULL);
    OK(MPI_Start(&request));
    OK(MPI_Send(&out, 1, MPI_INT, check_rank, 65, MPI_COMM_WORLD));
    OK(MPI_Wait(&request, &status));
    OK(MPI_Test_cancelled(&status, &cancelled));
    CHECK_INT(cancelled, 0);
    CHECK_INT(in, 4);
    OK(MPI_Request_free(&request));
}

int main(int argc, char **argv)
{
    check_begin(&argc, &argv);
    cancel_and_wait(0);
    cancel_and_wait(1);
    cancel_among_many();
    cancel_persistent();
    return check_end();
}
