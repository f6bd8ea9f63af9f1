/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks: 2 */
/* Probes, matched probes and receives of matched messages. */
#include "check.h"

static void blocking(void)
{
    int out[3] = { 1, 2, 3 }, in[3] = { 0 };
    MPI_Status status = check_poison_status();
    MPI_Message message = MPI_MESSAGE_NULL;
    MPI_Request sends[2];
    OK(MPI_Isend(out, 3, MPI_INT, 1 - check_rank, 4, MPI_COMM_WORLD, &sends[0]));
    OK(MPI_Isend(out, 2, MPI_INT, 1 - check_rank, 5, MPI_COMM_WORLD, &sends[1]));
    OK(MPI_Probe(MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, &status));
    CHECK_STATUS(&status, 1 - check_rank, 5, MPI_INT, 2);
    if (!known_fault("probe-sets-error"))
        CHECK_INT(status.MPI_ERROR, 7703);
    OK(MPI_Probe(1 - check_rank, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    status = check_poison_status();
    OK(MPI_Mprobe(1 - check_rank, MPI_ANY_TAG, MPI_COMM_WORLD, &message, &status));
    CHECK(message != MPI_MESSAGE_NULL && message != MPI_MESSAGE_NO_PROC);
    CHECK_STATUS(&status, 1 - check_rank, 4, MPI_INT, 3);
    CHECK_INT(status.MPI_ERROR, 7703);
    status = check_poison_status();
    OK(MPI_Mrecv(in, 3, MPI_INT, &message, &status));
    CHECK(message == MPI_MESSAGE_NULL);
    CHECK_STATUS(&status, 1 - check_rank, 4, MPI_INT, 3);
    CHECK_INT(in[2], 3);
    OK(MPI_Mprobe(MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE));
    OK(MPI_Mrecv(in, 2, MPI_INT, &message, MPI_STATUS_IGNORE));
    OK(MPI_Waitall(2, sends, MPI_STATUSES_IGNORE));
}

static void nonblocking(void)
{
    int out = 42 + check_rank, in = 0, flag = 1;
    MPI_Status status = check_poison_status();
    MPI_Message message = MPI_MESSAGE_NULL;
    MPI_Request request;
    OK(MPI_Iprobe(MPI_ANY_SOURCE, 888, MPI_COMM_WORLD, &flag, &status));
    CHECK_INT(flag, 0);
    flag = 1;
    OK(MPI_Improbe(MPI_ANY_SOURCE, 888, MPI_COMM_WORLD, &flag, &message, &status));
    CHECK_INT(flag, 0);
    CHECK(message == MPI_MESSAGE_NULL);
    OK(MPI_Isend(&out, 1, MPI_INT, 1 - check_rank, 6, MPI_COMM_WORLD, &request));
    for (flag = 0; !flag;)
        OK(MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, &status));
    CHECK_STATUS(&status, 1 - check_rank, 6, MPI_INT, 1);
    for (flag = 0; !flag;)
        OK(MPI_Improbe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, &message, &status));
    CHECK_STATUS(&status, 1 - check_rank, 6, MPI_INT, 1);
    OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    OK(MPI_Imrecv(&in, 1, MPI_INT, &message, &request));
    CHECK(message == MPI_MESSAGE_NULL);
    OK(MPI_Wait(&request, &status));
    CHECK_STATUS(&status, 1 - check_rank, 6, MPI_INT, 1);
    CHECK_INT(in, 43 - check_rank);
}

/* Messages of MPI_PROC_NULL: a special handle, whose status names no one. */
static void proc_null(void)
{
    int in = 17, flag = 0;
    MPI_Status status = check_poison_status();
    MPI_Message message = MPI_MESSAGE_NULL;
    MPI_Request request;
    OK(MPI_Probe(MPI_PROC_NULL, MPI_ANY_TAG, MPI_COMM_WORLD, &status));
    CHECK_STATUS(&status, MPI_PROC_NULL, MPI_ANY_TAG, MPI_INT, 0);
    status = check_poison_status();
    OK(MPI_Iprobe(MPI_PROC_NULL, 3, MPI_COMM_WORLD, &flag, &status));
    CHECK_INT(flag, 1);
    CHECK_STATUS(&status, MPI_PROC_NULL, MPI_ANY_TAG, MPI_INT, 0);
    OK(MPI_Mprobe(MPI_PROC_NULL, 3, MPI_COMM_WORLD, &message, &status));
    CHECK(message == MPI_MESSAGE_NO_PROC);
    OK(MPI_Mrecv(&in, 1, MPI_INT, &message, &status));
    CHECK(message == MPI_MESSAGE_NULL);
    CHECK_STATUS(&status, MPI_PROC_NULL, MPI_ANY_TAG, MPI_INT, 0);
    flag = 0;
    OK(MPI_Improbe(MPI_PROC_NULL, 3, MPI_COMM_WORLD, &flag, &message, &status));
    CHECK_INT(flag, 1);
    CHECK(message == MPI_MESSAGE_NO_PROC);
    status = check_poison_status();
    OK(MPI_Imrecv(&in, 1, MPI_INT, &message, &request));
    OK(MPI_Wait(&request, &status));
    CHECK(message == MPI_MESSAGE_NULL);
    CHECK_STATUS(&status, MPI_PROC_NULL, MPI_ANY_TAG, MPI_INT, 0);
    CHECK_INT(in, 17);
}

int main(int argc, char **argv)
{
    check_begin(&argc, &argv);
    blocking();
    MPI_Barrier(MPI_COMM_WORLD);
    nonblocking();
    proc_null();
    return check_end();
}
