/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks: 2 4 */
/* Persistent collectives; those with arrays of datatypes keep them until the
 * request is freed, not until the first completion. */
#include "check.h"

#define W MPI_COMM_WORLD
enum { MAX = 8, ROUNDS = 3 };
static int n, me, out[MAX * MAX], in[MAX * MAX], counts[MAX], places[MAX];

static void run(MPI_Request *request, void (*prepare)(int), void (*verify)(int))
{
    MPI_Request was = *request;
    for (int round = 0; round < ROUNDS; round++) {
        prepare(round);
        OK(MPI_Start(request));
        CHECK(*request == was);
        OK(MPI_Wait(request, MPI_STATUS_IGNORE));
        CHECK(*request == was);
        verify(round);
    }
    OK(MPI_Request_free(request));
    CHECK(*request == MPI_REQUEST_NULL);
}

static void fill(int round)
{
    for (int i = 0; i < MAX * MAX; i++)
        out[i] = 10000 * round + 100 * me + i, in[i] = -1;
}

static void nothing(int round) {}
static void is_bcast(int round) { CHECK_INT(out[1], 10000 * round + 1); }
static void is_sum(int round) { CHECK_INT(in[1], n * (10000 * round + 1) + 100 * n * (n - 1) / 2); }
static void is_sum_at_root(int round) { if (me == 0) is_sum(round); }
static void is_gathered(int round)
{
    for (int r = 0; r < n; r++)
        CHECK_INT(in[2 * r + 1], 10000 * round + 100 * r + 1);
}
static void is_kept(int round)
{
    for (int r = 0; r < n; r++)
        CHECK_INT(in[2 * r + 1], -1);
}
static void is_gathered_at_root(int round) { if (me == 0) is_gathered(round); }
static void is_scattered(int round) { CHECK_INT(in[1], 10000 * round + 2 * me + 1); }
static void is_exchanged(int round)
{
    for (int r = 0; r < n; r++)
        CHECK_INT(in[2 * r + 1], 10000 * round + 100 * r + 2 * me + 1);
}
static void is_scanned(int round) { CHECK_INT(in[0], (me + 1) * 10000 * round + 100 * me * (me + 1) / 2); }
static void is_exscanned(int round) { if (me > 0) CHECK_INT(in[0], me * 10000 * round + 100 * me * (me - 1) / 2); }
static void is_reduced_block(int round)
{
    CHECK_INT(in[0], n * (10000 * round + 2 * me) + 100 * n * (n - 1) / 2);
}

static void sum_elements(void *a, void *b, int *length, MPI_Datatype *type)
{
    for (int i = 0; i < *length; i++)
        ((int *)b)[i] += ((int *)a)[i];
}

#define INIT(name, verify, ...) do {                                       \
        MPI_Request request = MPI_REQUEST_NULL;                            \
        OK(MPI_##name##_init(__VA_ARGS__, MPI_INFO_NULL, &request));       \
        run(&request, fill, verify);                                       \
    } while (0)

static void regular(void)
{
    MPI_Op op;
    MPI_Request request;
    for (int r = 0; r < n; r++)
        counts[r] = 2, places[r] = 2 * r;
    INIT(Barrier, nothing, W);
    INIT(Bcast, is_bcast, out, 4, MPI_INT, 0, W);
    INIT(Reduce, is_sum_at_root, out, in, 2, MPI_INT, MPI_SUM, 0, W);
    INIT(Allreduce, is_sum, out, in, 2, MPI_INT, MPI_SUM, W);
    INIT(Gatherv, is_gathered_at_root, out, 2, MPI_INT, in, counts, places, MPI_INT, 0, W);
    INIT(Allgatherv, is_gathered, out, 2, MPI_INT, in, counts, places, MPI_INT, W);
    INIT(Scatterv, is_scattered, out, counts, places, MPI_INT, in, 2, MPI_INT, 0, W);
    INIT(Alltoall, is_exchanged, out, 2, MPI_INT, in, 2, MPI_INT, W);
    INIT(Alltoallv, is_exchanged, out, counts, places, MPI_INT, in, counts, places, MPI_INT, W);
    INIT(Scan, is_scanned, out, in, 1, MPI_INT, MPI_SUM, W);
    INIT(Exscan, is_exscanned, out, in, 1, MPI_INT, MPI_SUM, W);
    INIT(Reduce_scatter_block, is_reduced_block, out, in, 2, MPI_INT, MPI_SUM, W);
    INIT(Reduce_scatter, is_reduced_block, out, in, counts, MPI_INT, MPI_SUM, W);
    if (!known_fault("copies-at-init")) {
        INIT(Gather, is_gathered_at_root, out, 2, MPI_INT, in, 2, MPI_INT, 0, W);
        INIT(Allgather, is_gathered, out, 2, MPI_INT, in, 2, MPI_INT, W);
        INIT(Scatter, is_scattered, out, 2, MPI_INT, in, 2, MPI_INT, 0, W);
    }
    /* The operation may be freed once the request exists. */
    OK(MPI_Op_create(sum_elements, 1, &op));
    OK(MPI_Allreduce_init(out, in, 2, MPI_INT, op, W, MPI_INFO_NULL, &request));
    OK(MPI_Op_free(&op));
    run(&request, fill, is_sum);
}

/* Arguments that do not count, at ranks that are not the root, and beside MPI_IN_PLACE. */
static void junk(void)
{
    void *nowhere = JUNK(void *);
    int some = JUNK(int), *array = JUNK(int *);
    MPI_Datatype type = JUNK(MPI_Datatype);
    if (me == 0)
        INIT(Gatherv, is_gathered_at_root, out, 2, MPI_INT, in, counts, places, MPI_INT, 0, W);
    else
        INIT(Gatherv, is_gathered_at_root, out, 2, MPI_INT, nowhere, array, array, type, 0, W);
    if (me == 0)
        INIT(Scatterv, is_scattered, out, counts, places, MPI_INT, in, 2, MPI_INT, 0, W);
    else
        INIT(Scatterv, is_scattered, nowhere, array, array, type, in, 2, MPI_INT, 0, W);
    INIT(Allgatherv, nothing, MPI_IN_PLACE, some, type, in, counts, places, MPI_INT, W);
    INIT(Alltoallv, nothing, MPI_IN_PLACE, array, array, type, in, counts, places, MPI_INT, W);
    if (!known_fault("copies-at-init")) {
        if (me == 0) {
            INIT(Gather, is_gathered_at_root, out, 2, MPI_INT, in, 2, MPI_INT, 0, W);
            INIT(Scatter, is_scattered, out, 2, MPI_INT, in, 2, MPI_INT, 0, W);
        } else {
            INIT(Gather, is_gathered_at_root, out, 2, MPI_INT, nowhere, some, type, 0, W);
            INIT(Scatter, is_scattered, nowhere, some, type, in, 2, MPI_INT, 0, W);
        }
        INIT(Allgather, is_kept, MPI_IN_PLACE, some, type, in, 2, MPI_INT, W);
    }
}

static MPI_Comm others;
static int is_low, remote, first;

static void is_of_others(int round)
{
    for (int r = 0; r < remote; r++)
        CHECK_INT(in[2 * r + 1], 10000 * round + 100 * (first + r) + 1);
}
static void is_of_others_at_root(int round) { if (me == 0) is_of_others(round); }
static void is_from_root(int round) { if (!is_low) CHECK_INT(in[1], 10000 * round + 2 * (me - n / 2) + 1); }

/* Rank 0 is the root of the upper half of the ranks. */
static void between_groups(void)
{
    MPI_Comm half;
    is_low = me < n / 2;
    OK(MPI_Comm_split(W, is_low, 0, &half));
    OK(MPI_Intercomm_create(half, 0, W, is_low ? n / 2 : 0, 1, &others));
    OK(MPI_Comm_remote_size(others, &remote));
    first = is_low ? n / 2 : 0;
    int root = !is_low ? 0 : me == 0 ? MPI_ROOT : MPI_PROC_NULL;
    INIT(Gather, is_of_others_at_root, out, 2, MPI_INT, in, 2, MPI_INT, root, others);
    INIT(Scatter, is_from_root, out, 2, MPI_INT, in, 2, MPI_INT, root, others);
    INIT(Allgather, is_of_others, out, 2, MPI_INT, in, 2, MPI_INT, others);
    OK(MPI_Comm_free(&others));
    OK(MPI_Comm_free(&half));
}

static void with_type_arrays(void)
{
    int bytes[MAX];
    MPI_Datatype two, types[MAX];
    MPI_Request request;
    OK(MPI_Type_contiguous(2, MPI_INT, &two));
    OK(MPI_Type_commit(&two));
    for (int r = 0; r < n; r++)
        bytes[r] = (int)(2 * r * sizeof(int)), counts[r] = 1, types[r] = two;
    OK(MPI_Alltoallw_init(out, counts, bytes, types, in, counts, bytes, types, W, MPI_INFO_NULL, &request));
    OK(MPI_Type_free(&two));
    run(&request, fill, is_exchanged);
    for (int r = 0; r < n; r++)
        types[r] = MPI_INT, counts[r] = 2;
    OK(MPI_Alltoallw_init(MPI_IN_PLACE, NULL, NULL, NULL, out, counts, bytes, types, W, MPI_INFO_NULL, &request));
    run(&request, fill, nothing);
}

static int left_value(int round, int i) { return 10000 * round + 100 * ((me + n - 1) % n) + i; }
static void is_left(int round) { CHECK_INT(in[1], left_value(round, 1)); }

static void neighbourhood(void)
{
    int left = (me + n - 1) % n, right = (me + 1) % n, two = 2, zero = 0;
    MPI_Aint start = 0;
    MPI_Datatype type = MPI_INT;
    MPI_Comm ring;
    OK(MPI_Dist_graph_create_adjacent(W, 1, &left, MPI_UNWEIGHTED, 1, &right, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &ring));
    INIT(Neighbor_allgather, is_left, out, 2, MPI_INT, in, 2, MPI_INT, ring);
    INIT(Neighbor_allgatherv, is_left, out, 2, MPI_INT, in, &two, &zero, MPI_INT, ring);
    INIT(Neighbor_alltoall, is_left, out, 2, MPI_INT, in, 2, MPI_INT, ring);
    INIT(Neighbor_alltoallv, is_left, out, &two, &zero, MPI_INT, in, &two, &zero, MPI_INT, ring);
    INIT(Neighbor_alltoallw, is_left, out, &two, &start, &type, in, &two, &start, &type, ring);
    OK(MPI_Comm_free(&ring));
}

/* Ranks make requests in the same order, and may start them in any: each is of a context of its own (MPI-4.1, 6.13). */
static void started_in_another_order(void)
{
    enum { KINDS = 3, EACH = 2, ALL = KINDS * EACH };
    static int sent[ALL][MAX], received[ALL][MAX * MAX];
    int widths[ALL][MAX], places[ALL][MAX];
    MPI_Request requests[ALL];
    for (int i = 0; i < ALL; i += KINDS) {
        OK(MPI_Allreduce_init(sent[i], received[i], i + 1, MPI_INT, MPI_SUM, W, MPI_INFO_NULL, &requests[i]));
        for (int r = 0; r < n; r++)
            widths[i][r] = i + 2, places[i][r] = r * (i + 2);
        OK(MPI_Allgatherv_init(sent[i + 1], i + 2, MPI_INT, received[i + 1], widths[i], places[i], MPI_INT, W, MPI_INFO_NULL,
                               &requests[i + 1]));
        OK(MPI_Bcast_init(sent[i + 2], i + 3, MPI_INT, n - 1, W, MPI_INFO_NULL, &requests[i + 2]));
    }
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < ALL; i++)
            for (int j = 0; j < MAX; j++)
                sent[i][j] = 1000 * round + 100 * i + 10 * j + me;
        for (int i = 0; i < ALL; i++)
            OK(MPI_Start(&requests[me % 2 ? ALL - 1 - i : i]));
        OK(MPI_Waitall(ALL, requests, MPI_STATUSES_IGNORE));
        for (int i = 0; i < ALL; i += KINDS) {
            CHECK_INT(received[i][i], n * (1000 * round + 100 * i + 10 * i) + n * (n - 1) / 2);
            CHECK_INT(received[i + 1][n * (i + 2) - 1], 1000 * round + 100 * (i + 1) + 10 * (i + 1) + n - 1);
            CHECK_INT(sent[i + 2][i + 2], 1000 * round + 100 * (i + 2) + 10 * (i + 2) + n - 1);
        }
    }
    for (int i = 0; i < ALL; i++)
        OK(MPI_Request_free(&requests[i]));
}

int main(int argc, char **argv)
{
    check_begin(&argc, &argv);
    n = check_size, me = check_rank;
    regular();
    junk();
    check_junk_byte = 0xa5;
    if (!known_fault("handles-of-objects"))
        junk();
    if (!known_fault("copies-at-init"))
        between_groups();
    with_type_arrays();
    neighbourhood();
    started_in_another_order();
    return check_end();
}
