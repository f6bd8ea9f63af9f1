/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks: 1 2 4 */
/* Alltoallw and its relatives: arrays of datatypes, which the application may
 * overwrite as soon as a blocking call returns, and whose types it may free
 * while a nonblocking one is pending. */
#include "check.h"

enum { MAX = 8, LONG = 64 };

static int n, me;

/* Rank a sends to b the a+b+1 ints 100a+b+i, spread with stride 1 or 2. */
typedef struct {
    int out[MAX * LONG], in[MAX * LONG];
    int out_counts[MAX], in_counts[MAX], out_places[MAX], in_places[MAX];
    MPI_Datatype out_types[MAX], in_types[MAX];
} exchange_t;

static MPI_Datatype spread(int length)
{
    MPI_Datatype type;
    OK(MPI_Type_vector(length, 1, 2, MPI_INT, &type));
    OK(MPI_Type_commit(&type));
    return type;
}

static void prepare(exchange_t *x, int salt)
{
    memset(x, 0, sizeof *x);
    for (int r = 0; r < n; r++) {
        int length = me + r + 1;
        for (int i = 0; i < length; i++)
            x->out[r * LONG + 2 * i] = salt + 100 * me + r + i;
        x->out_places[r] = x->in_places[r] = (int)(r * LONG * sizeof(int));
        x->out_types[r] = spread(length);
        x->out_counts[r] = 1;
        /* Predefined and derived types are mixed in one array. */
        x->in_types[r] = r % 2 ? spread(length) : MPI_INT;
        x->in_counts[r] = r % 2 ? 1 : length;
    }
}

static void verify(const exchange_t *x, int salt)
{
    for (int r = 0; r < n; r++)
        for (int i = 0; i < me + r + 1; i++)
            CHECK_INT(x->in[r * LONG + (r % 2 ? 2 * i : i)], salt + 100 * r + me + i);
}

/* Free every derived type and overwrite the arrays with something invalid. */
static void forget_types(exchange_t *x)
{
    for (int r = 0; r < n; r++) {
        OK(MPI_Type_free(&x->out_types[r]));
        if (r % 2)
            OK(MPI_Type_free(&x->in_types[r]));
        x->out_types[r] = x->in_types[r] = MPI_DATATYPE_NULL;
    }
}

#define ARGS(x) (x)->out, (x)->out_counts, (x)->out_places, (x)->out_types, \
                (x)->in, (x)->in_counts, (x)->in_places, (x)->in_types

static void blocking(void)
{
    static exchange_t x;
    prepare(&x, 5);
    OK(MPI_Alltoallw(ARGS(&x), MPI_COMM_WORLD));
    forget_types(&x);
    verify(&x, 5);
}

/* The counts and types must stay until completion by the standard; the types
 * themselves may be freed at once. */
static void nonblocking_many(void)
{
    enum { PENDING = 40 };
    exchange_t *x = calloc(PENDING, sizeof *x);
    MPI_Request requests[PENDING];
    for (int i = 0; i < PENDING; i++) {
        prepare(&x[i], 10000 * i);
        OK(MPI_Ialltoallw(ARGS(&x[i]), MPI_COMM_WORLD, &requests[i]));
        for (int r = 0; r < n; r++) {
            MPI_Datatype copy = x[i].out_types[r];
            OK(MPI_Type_free(&copy));
        }
    }
    OK(MPI_Waitall(PENDING, requests, MPI_STATUSES_IGNORE));
    for (int i = 0; i < PENDING; i++) {
        verify(&x[i], 10000 * i);
        for (int r = 1; r < n; r += 2)
            OK(MPI_Type_free(&x[i].in_types[r]));
    }
    free(x);
}

/* With MPI_IN_PLACE the send-side arrays may be null. */
static void in_place(int nonblocking)
{
    int data[MAX][2], counts[MAX], places[MAX];
    MPI_Datatype types[MAX];
    MPI_Request request;
    for (int r = 0; r < n; r++) {
        data[r][0] = 10 * me + r;
        data[r][1] = 20 * me + r;
        counts[r] = 2;
        places[r] = (int)(r * sizeof data[0]);
        types[r] = MPI_INT;
    }
    if (nonblocking) {
        OK(MPI_Ialltoallw(MPI_IN_PLACE, NULL, NULL, NULL, data, counts, places, types,
                          MPI_COMM_WORLD, &request));
        OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    } else
        OK(MPI_Alltoallw(MPI_IN_PLACE, NULL, NULL, NULL, data, counts, places, types, MPI_COMM_WORLD));
    for (int r = 0; r < n; r++) {
        CHECK_INT(data[r][0], 10 * r + me);
        CHECK_INT(data[r][1], 20 * r + me);
    }
}

/* On a ring: two neighbours, whose arrays have 2 entries, not n. */
static void neighbours(int nonblocking)
{
    int period = 1, out[2][4], in[2][4], counts[2] = { 1, 4 }, in_counts[2] = { 4, 1 };
    int left = (me + n - 1) % n, right = (me + 1) % n;
    MPI_Aint places[2] = { 0, sizeof out[0] };
    MPI_Datatype four, types[2], in_types[2];
    MPI_Comm ring;
    MPI_Request request;
    OK(MPI_Cart_create(MPI_COMM_WORLD, 1, &n, &period, 0, &ring));
    OK(MPI_Type_contiguous(4, MPI_INT, &four));
    OK(MPI_Type_commit(&four));
    types[0] = four, types[1] = MPI_INT;
    in_types[0] = MPI_INT, in_types[1] = four;
    for (int i = 0; i < 4; i++)
        out[0][i] = 100 * me + i, out[1][i] = 100 * me + 10 + i, in[0][i] = in[1][i] = -1;
    if (nonblocking) {
        OK(MPI_Ineighbor_alltoallw(out, counts, places, types, in, in_counts, places, in_types, ring, &request));
        OK(MPI_Type_free(&four));
        OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    } else {
        OK(MPI_Neighbor_alltoallw(out, counts, places, types, in, in_counts, places, in_types, ring));
        OK(MPI_Type_free(&four));
        types[0] = types[1] = in_types[0] = in_types[1] = MPI_DATATYPE_NULL;
    }
    for (int i = 0; i < 4 && n > 2; i++) {
        CHECK_INT(in[0][i], 100 * left + 10 + i);
        CHECK_INT(in[1][i], 100 * right + i);
    }
    OK(MPI_Comm_free(&ring));
}

/* The completion calls all release what a pending alltoallw holds. */
static void completed_by_every_call(void)
{
    static exchange_t x;
    MPI_Request request;
    MPI_Status status;
    int flag = 0, index = -1, done = 0, place = -1;
    for (int how = 0; how < 7; how++) {
        prepare(&x, how);
        OK(MPI_Ialltoallw(ARGS(&x), MPI_COMM_WORLD, &request));
        flag = done = 0;
        switch (how) {
        case 0: OK(MPI_Wait(&request, &status)); break;
        case 1: while (!flag) OK(MPI_Test(&request, &flag, &status)); break;
        case 2: OK(MPI_Waitany(1, &request, &index, &status)); break;
        case 3: while (!flag) OK(MPI_Testany(1, &request, &index, &flag, &status)); break;
        case 4: OK(MPI_Waitsome(1, &request, &done, &place, MPI_STATUSES_IGNORE)); break;
        case 5: while (!done) OK(MPI_Testsome(1, &request, &done, &place, MPI_STATUSES_IGNORE)); break;
        case 6: while (!flag) OK(MPI_Testall(1, &request, &flag, MPI_STATUSES_IGNORE)); break;
        }
        CHECK(request == MPI_REQUEST_NULL);
        verify(&x, how);
        forget_types(&x);
    }
}

int main(int argc, char **argv)
{
    check_begin(&argc, &argv);
    n = check_size, me = check_rank;
    blocking();
    nonblocking_many();
    in_place(0);
    in_place(1);
    neighbours(0);
    neighbours(1);
    completed_by_every_call();
    return check_end();
}
