/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks: 2 */
/* Combined sends and receives and persistent collectives among other requests, in every call that
 * completes, starts, frees or asks; objects freed while persistent requests use them. */
#include "check.h"

#define W MPI_COMM_WORLD
enum { REQUESTS = 4 };
static int me, peer, out[REQUESTS], in[REQUESTS];
static MPI_Request requests[REQUESTS];

/* 0: a combined send and receive; 1: a persistent collective; 2: a receive; 3: null. */
static void begin(int round)
{
    for (int i = 0; i < REQUESTS; i++)
        out[i] = 1000 * round + 10 * me + i, in[i] = -1;
    if (known_fault("isendrecv-among-others")) {
        OK(MPI_Irecv(&in[0], 1, MPI_INT, peer, 1, W, &requests[0]));
        OK(MPI_Send(&out[0], 1, MPI_INT, peer, 1, W));
    } else {
        OK(MPI_Isendrecv(&out[0], 1, MPI_INT, peer, 1, &in[0], 1, MPI_INT, peer, 1, W, &requests[0]));
    }
    OK(MPI_Start(&requests[1]));
    if (known_fault("collective-among-others")) {
        int sum = -1;
        OK(MPI_Allreduce(&out[1], &sum, 1, MPI_INT, MPI_SUM, W));
        OK(MPI_Send(&sum, 1, MPI_INT, me, 9, W));
    }
    OK(MPI_Irecv(&in[2], 1, MPI_INT, peer, 2, W, &requests[2]));
    OK(MPI_Send(&out[2], 1, MPI_INT, peer, 2, W));
    requests[3] = MPI_REQUEST_NULL;
}

static void is_done(int round)
{
    CHECK_INT(in[0], 1000 * round + 10 * peer);
    CHECK_INT(in[1], 2000 * round + 10 + 2);
    CHECK_INT(in[2], 1000 * round + 10 * peer + 2);
    CHECK(requests[0] == MPI_REQUEST_NULL);
    CHECK(requests[1] != MPI_REQUEST_NULL);
    CHECK(requests[2] == MPI_REQUEST_NULL);
}

static void by_all(void)
{
    MPI_Status statuses[REQUESTS];
    begin(1);
    OK(MPI_Waitall(REQUESTS, requests, statuses));
    is_done(1);
    CHECK_STATUS(&statuses[0], peer, 1, MPI_INT, 1);
    CHECK_STATUS(&statuses[2], peer, 2, MPI_INT, 1);
    begin(2);
    OK(MPI_Waitall(REQUESTS, requests, MPI_STATUSES_IGNORE));
    is_done(2);
}

static void by_test_of_all(void)
{
    int flag = 0;
    MPI_Status statuses[REQUESTS];
    begin(3);
    while (!flag)
        OK(MPI_Testall(REQUESTS, requests, &flag, statuses));
    is_done(3);
    CHECK_STATUS(&statuses[0], peer, 1, MPI_INT, 1);
    CHECK_STATUS(&statuses[2], peer, 2, MPI_INT, 1);
}

static void by_any(void)
{
    int seen = 0, index, flag;
    MPI_Status status;
    begin(4);
    for (int i = 0; i < 3; i++) {
        OK(MPI_Waitany(REQUESTS, requests, &index, &status));
        CHECK(index >= 0 && index < 3);
        seen |= 1 << index;
        if (index != 1)
            CHECK_STATUS(&status, peer, 1 + (index == 2), MPI_INT, 1);
    }
    CHECK_INT(seen, 7);
    is_done(4);
    OK(MPI_Waitany(REQUESTS, requests, &index, &status));
    CHECK_INT(index, MPI_UNDEFINED);
    begin(5);
    for (seen = 0; seen != 7;) {
        OK(MPI_Testany(REQUESTS, requests, &index, &flag, &status));
        if (flag)
            seen |= 1 << index;
    }
    is_done(5);
    OK(MPI_Testany(REQUESTS, requests, &index, &flag, &status));
    CHECK_INT(flag, 1);
    CHECK_INT(index, MPI_UNDEFINED);
}

static void by_some(int (*call)(int, MPI_Request *, int *, int *, MPI_Status *), int round)
{
    int seen = 0, count, indices[REQUESTS];
    MPI_Status statuses[REQUESTS];
    begin(round);
    while (seen != 7) {
        OK(call(REQUESTS, requests, &count, indices, statuses));
        CHECK(count >= 0 && count <= 3);
        for (int i = 0; i < count; i++) {
            seen |= 1 << indices[i];
            if (indices[i] == 2)
                CHECK_STATUS(&statuses[i], peer, 2, MPI_INT, 1);
        }
    }
    is_done(round);
    OK(call(REQUESTS, requests, &count, indices, statuses));
    CHECK_INT(count, MPI_UNDEFINED);
}

static void one_at_a_time(void)
{
    int flag = 0;
    MPI_Status status;
    begin(8);
    while (!flag)
        OK(MPI_Request_get_status(requests[0], &flag, &status));
    CHECK(requests[0] != MPI_REQUEST_NULL);
    OK(MPI_Wait(&requests[0], &status));
    for (flag = 0; !flag;)
        OK(MPI_Test(&requests[1], &flag, &status));
    OK(MPI_Wait(&requests[2], MPI_STATUS_IGNORE));
    is_done(8);
    OK(MPI_Request_get_status(requests[1], &flag, &status));
    CHECK_INT(flag, 1);
    OK(MPI_Wait(&requests[1], &status));
    CHECK(requests[1] != MPI_REQUEST_NULL);
}

static void replaced(void)
{
    int value[3] = { me, 10 + me, 20 + me };
    MPI_Request request;
    OK(MPI_Isendrecv_replace(value, 3, MPI_INT, peer, 6, peer, 6, W, &request));
    OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    CHECK_INT(value[2], 20 + peer);
    if (known_fault("isendrecv-proc-null"))
        return;
    OK(MPI_Isendrecv_replace(value, 3, MPI_INT, MPI_PROC_NULL, 6, MPI_PROC_NULL, 6, W, &request));
    OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    CHECK_INT(value[2], 20 + peer);
}

static void freed_while_active(void)
{
    static int buffer[2];
    MPI_Request request;
    for (int i = 0; i < 100; i++) {
        buffer[0] = me;
        OK(MPI_Isendrecv(&buffer[0], 1, MPI_INT, peer, 7, &buffer[1], 1, MPI_INT, peer, 7, W, &request));
        OK(MPI_Request_free(&request));
        CHECK(request == MPI_REQUEST_NULL);
        OK(MPI_Barrier(W));
    }
}

static void objects_freed_meanwhile(void)
{
    MPI_Datatype pair;
    MPI_Comm comm;
    MPI_Request request;
    OK(MPI_Comm_dup(W, &comm));
    OK(MPI_Type_contiguous(2, MPI_INT, &pair));
    OK(MPI_Type_commit(&pair));
    OK(MPI_Bcast_init(out, 1, pair, 0, comm, MPI_INFO_NULL, &request));
    OK(MPI_Type_free(&pair));
    CHECK(pair == MPI_DATATYPE_NULL);
    OK(MPI_Comm_free(&comm));
    CHECK(comm == MPI_COMM_NULL);
    for (int round = 0; round < 3; round++) {
        out[0] = out[1] = me == 0 ? round : -1;
        OK(MPI_Start(&request));
        OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
        CHECK_INT(out[1], round);
    }
    OK(MPI_Request_free(&request));
    /* Order is that of the starts. */
    MPI_Request two[2];
    OK(MPI_Bcast_init(&in[0], 1, MPI_INT, 0, W, MPI_INFO_NULL, &two[0]));
    OK(MPI_Bcast_init(&in[1], 1, MPI_INT, 0, W, MPI_INFO_NULL, &two[1]));
    in[0] = me == 0 ? 5 : -1, in[1] = me == 0 ? 6 : -1;
    OK(MPI_Startall(2, two));
    OK(MPI_Waitall(2, two, MPI_STATUSES_IGNORE));
    CHECK_INT(in[0], 5);
    CHECK_INT(in[1], 6);
    OK(MPI_Request_free(&two[0]));
    OK(MPI_Request_free(&two[1]));
}

static void many(void)
{
    MPI_Request request;
    int value;
    for (int i = 0; i < 20000; i++) {
        OK(MPI_Isendrecv(&i, 1, MPI_INT, MPI_PROC_NULL, 0, &value, 1, MPI_INT, MPI_PROC_NULL, 0, W, &request));
        OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    }
}

int main(int argc, char **argv)
{
    check_begin(&argc, &argv);
    me = check_rank, peer = 1 - me;
    if (known_fault("collective-among-others"))
        OK(MPI_Recv_init(&in[1], 1, MPI_INT, me, 9, W, &requests[1]));
    else
        OK(MPI_Allreduce_init(&out[1], &in[1], 1, MPI_INT, MPI_SUM, W, MPI_INFO_NULL, &requests[1]));
    by_all();
    by_test_of_all();
    by_any();
    by_some(MPI_Waitsome, 6);
    by_some(MPI_Testsome, 7);
    one_at_a_time();
    OK(MPI_Request_free(&requests[1]));
    replaced();
    if (!known_fault("free-of-isendrecv"))
        freed_while_active();
    objects_freed_meanwhile();
    if (!known_fault("isendrecv-proc-null"))
        many();
    return check_end();
}
