/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks: 2 */
/* Persistent point-to-point requests: handles stay identical, inactive ones
 * complete with the empty status. */
#include "check.h"

#define EMPTY(status) CHECK_EMPTY(status, known_fault("empty-status-error"))

typedef int (*init_fn)(const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);
static const init_fn inits[] = { MPI_Send_init, MPI_Bsend_init, MPI_Ssend_init, MPI_Rsend_init };

/* A handle that changes at MPI_Start breaks programs that keep copies. */
static void start_keeps_the_handle(int mode)
{
    int peer = 1 - check_rank, out = 0, in = -1;
    MPI_Request send, receive, send_was, receive_was;
    MPI_Status status;
    OK(inits[mode](&out, 1, MPI_INT, peer, 5, MPI_COMM_WORLD, &send));
    OK(MPI_Recv_init(&in, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &receive));
    send_was = send;
    receive_was = receive;
    for (int round = 0; round < 20; round++) {
        out = 100 * round + check_rank;
        OK(MPI_Start(&receive));
        CHECK(receive == receive_was);
        OK(MPI_Barrier(MPI_COMM_WORLD));
        OK(MPI_Start(&send));
        CHECK(send == send_was);
        OK(MPI_Wait(&receive, &status));
        OK(MPI_Wait(&send, MPI_STATUS_IGNORE));
        CHECK(send == send_was && receive == receive_was);
        CHECK_INT(in, 100 * round + peer);
        CHECK_STATUS(&status, peer, 5, MPI_INT, 1);
        OK(MPI_Barrier(MPI_COMM_WORLD));
    }
    OK(MPI_Request_free(&send));
    OK(MPI_Request_free(&receive));
    CHECK(send == MPI_REQUEST_NULL && receive == MPI_REQUEST_NULL);
}

static void inactive(void)
{
    int in = 3, flag = 0, index = 1, done = 1, places[2];
    MPI_Request two[2];
    MPI_Status status = check_poison_status(), both[2];
    for (int i = 0; i < 2; i++)
        OK(MPI_Recv_init(&in, 1, MPI_INT, MPI_ANY_SOURCE, 77, MPI_COMM_WORLD, &two[i]));
    OK(MPI_Wait(&two[0], &status));
    EMPTY(&status);
    CHECK(two[0] != MPI_REQUEST_NULL);
    status = check_poison_status();
    OK(MPI_Test(&two[0], &flag, &status));
    CHECK_INT(flag, 1);
    EMPTY(&status);
    status = check_poison_status();
    OK(MPI_Request_get_status(two[0], &flag, &status));
    CHECK_INT(flag, 1);
    EMPTY(&status);
    status = check_poison_status();
    OK(MPI_Waitany(2, two, &index, &status));
    CHECK_INT(index, MPI_UNDEFINED);
    EMPTY(&status);
    status = check_poison_status();
    index = flag = 0;
    OK(MPI_Testany(2, two, &index, &flag, &status));
    CHECK_INT(flag, 1);
    CHECK_INT(index, MPI_UNDEFINED);
    if (!known_fault("testany-of-inactive"))
        EMPTY(&status);
    OK(MPI_Testany(2, two, &index, &flag, MPI_STATUS_IGNORE));
    OK(MPI_Waitsome(2, two, &done, places, MPI_STATUSES_IGNORE));
    CHECK_INT(done, MPI_UNDEFINED);
    both[0] = both[1] = check_poison_status();
    OK(MPI_Waitall(2, two, both));
    EMPTY(&both[0]);
    EMPTY(&both[1]);
    both[0] = both[1] = check_poison_status();
    flag = 0;
    OK(MPI_Testall(2, two, &flag, both));
    CHECK_INT(flag, 1);
    EMPTY(&both[0]);
    EMPTY(&both[1]);
    CHECK(two[0] != MPI_REQUEST_NULL && two[1] != MPI_REQUEST_NULL);
    for (int i = 0; i < 2; i++)
        OK(MPI_Request_free(&two[i]));
}

/* MPI_Startall over more requests than a small stack buffer holds, and null
 * requests among the completions. */
static void startall(void)
{
    enum { N = 70 };
    static int in[N], out[N];
    MPI_Request all[2 * N], were[2 * N];
    static MPI_Status statuses[2 * N];
    int peer = 1 - check_rank;
    for (int i = 0; i < N; i++) {
        OK(MPI_Recv_init(&in[i], 1, MPI_INT, peer, i, MPI_COMM_WORLD, &all[i]));
        OK(MPI_Send_init(&out[i], 1, MPI_INT, peer, i, MPI_COMM_WORLD, &all[N + i]));
    }
    memcpy(were, all, sizeof all);
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < N; i++) {
            out[i] = round * 1000 + i;
            in[i] = -1;
        }
        OK(MPI_Startall(2 * N, all));
        CHECK(memcmp(were, all, sizeof all) == 0);
        OK(MPI_Waitall(2 * N, all, statuses));
        CHECK(memcmp(were, all, sizeof all) == 0);
        for (int i = 0; i < N; i++) {
            CHECK_INT(in[i], round * 1000 + i);
            CHECK_STATUS(&statuses[i], peer, i, MPI_INT, 1);
        }
    }
    for (int i = 0; i < 2 * N; i++)
        OK(MPI_Request_free(&all[i]));
}

/* Each number of requests: a translator may have a way of its own for few. What lies behind them is not started. */
static void startall_of_each_number(void)
{
    enum { N = 70 };
    int in[N], out, peer = 1 - check_rank, flag;
    MPI_Request receives[N], sends[N], were[2][N];
    MPI_Status statuses[N], status;
    for (int i = 0; i < N; i++) {
        OK(MPI_Recv_init(&in[i], 1, MPI_INT, peer, i, MPI_COMM_WORLD, &receives[i]));
        OK(MPI_Send_init(&out, 1, MPI_INT, peer, i, MPI_COMM_WORLD, &sends[i]));
    }
    memcpy(were[0], receives, sizeof receives);
    memcpy(were[1], sends, sizeof sends);
    for (out = 1; out <= N; out++) {
        OK(MPI_Startall(out, receives));
        OK(MPI_Startall(out, sends));
        if (out < N) {
            OK(MPI_Test(&sends[out], &flag, &status));
            CHECK_INT(flag, 1);
            EMPTY(&status);
        }
        OK(MPI_Waitall(out, sends, MPI_STATUSES_IGNORE));
        OK(MPI_Waitall(out, receives, statuses));
        for (int i = 0; i < out; i++) {
            CHECK_INT(in[i], out);
            CHECK_STATUS(&statuses[i], peer, i, MPI_INT, 1);
        }
        CHECK(memcmp(were[0], receives, sizeof receives) == 0);
        CHECK(memcmp(were[1], sends, sizeof sends) == 0);
    }
    for (int i = 0; i < N; i++) {
        OK(MPI_Request_free(&receives[i]));
        OK(MPI_Request_free(&sends[i]));
    }
}

static void to_proc_null(void)
{
    int value = 6;
    MPI_Request two[2];
    OK(MPI_Send_init(&value, 1, MPI_INT, MPI_PROC_NULL, 5, MPI_COMM_WORLD, &two[0]));
    OK(MPI_Recv_init(&value, 1, MPI_INT, MPI_PROC_NULL, MPI_ANY_TAG, MPI_COMM_WORLD, &two[1]));
    OK(MPI_Startall(2, two));
    OK(MPI_Waitall(2, two, MPI_STATUSES_IGNORE));
    CHECK_INT(value, 6);
    OK(MPI_Request_free(&two[0]));
    OK(MPI_Request_free(&two[1]));
}

int main(int argc, char **argv)
{
    static char space[10000];
    void *back;
    int bytes;
    check_begin(&argc, &argv);
    OK(MPI_Buffer_attach(space, sizeof space));
    for (int mode = 0; mode < 4; mode++)
        start_keeps_the_handle(mode);
    inactive();
    startall();
    startall_of_each_number();
    to_proc_null();
    OK(MPI_Buffer_detach(&back, &bytes));
    return check_end();
}
