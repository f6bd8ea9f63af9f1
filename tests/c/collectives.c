/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks: 1 2 4 */
/* Every collective, blocking and nonblocking, with and without MPI_IN_PLACE,
 * with exact results.  The nonblocking twin of a call is completed at once
 * by DO, so that both run through the same checks. */
#include "check.h"

#define W MPI_COMM_WORLD
enum { MAX = 8 };

static int n, me, nonblocking;
static int out[MAX * MAX], in[MAX * MAX], counts[MAX], places[MAX];

/* DO(Bcast, args): MPI_Bcast(args) or MPI_Ibcast(args, &request) and wait. */
#define DO(blocking_name, nonblocking_name, ...) do {                        \
        MPI_Request request = MPI_REQUEST_NULL;                              \
        if (!nonblocking)                                                    \
            OK(MPI_##blocking_name(__VA_ARGS__));                            \
        else {                                                               \
            OK(MPI_##nonblocking_name(__VA_ARGS__, &request));               \
            OK(MPI_Wait(&request, MPI_STATUS_IGNORE));                       \
            CHECK(request == MPI_REQUEST_NULL);                              \
        }                                                                    \
    } while (0)

static void fill(void)
{
    for (int i = 0; i < MAX * MAX; i++) {
        out[i] = 1000 * me + i;
        in[i] = -1;
    }
    /* Rank r contributes r+1 items, with a hole after each block. */
    for (int r = 0, at = 0; r < n; at += r + 2, r++) {
        counts[r] = r + 1;
        places[r] = at;
    }
}

static void bcast_and_barrier(int root)
{
    fill();
    DO(Bcast, Ibcast, me == root ? out : in, 5, MPI_INT, root, W);
    if (me != root)
        for (int i = 0; i < 5; i++)
            CHECK_INT(in[i], 1000 * root + i);
    DO(Barrier, Ibarrier, W);
}

static void gather_scatter(int root, int in_place)
{
    fill();
    if (in_place && me == root)
        in[2 * me] = out[0], in[2 * me + 1] = out[1];
    DO(Gather, Igather, in_place && me == root ? MPI_IN_PLACE : out, 2, MPI_INT, in, 2, MPI_INT, root, W);
    for (int r = 0; me == root && r < n; r++)
        CHECK_INT(in[2 * r + 1], 1000 * r + 1);
    fill();
    DO(Scatter, Iscatter, out, 2, MPI_INT, in_place && me == root ? MPI_IN_PLACE : in, 2, MPI_INT, root, W);
    if (!(in_place && me == root))
        CHECK_INT(in[1], 1000 * root + 2 * me + 1);
    else
        CHECK_INT(in[1], -1);
}

static void gatherv_scatterv(int root, int in_place)
{
    int stay = in_place && me == root;
    fill();
    if (stay)
        memcpy(in + places[me], out, counts[me] * sizeof(int));
    DO(Gatherv, Igatherv, stay ? MPI_IN_PLACE : out, me + 1, MPI_INT, in, counts, places, MPI_INT, root, W);
    for (int r = 0; me == root && r < n; r++) {
        CHECK_INT(in[places[r] + r], 1000 * r + r);
        CHECK_INT(in[places[r] + r + 1], -1);
    }
    fill();
    DO(Scatterv, Iscatterv, out, counts, places, MPI_INT, stay ? MPI_IN_PLACE : in, me + 1, MPI_INT, root, W);
    if (!stay)
        CHECK_INT(in[me], 1000 * root + places[me] + me);
    CHECK_INT(in[me + 1], -1);
}

static void allgather(int in_place)
{
    fill();
    if (in_place)
        in[2 * me] = out[0], in[2 * me + 1] = out[1];
    DO(Allgather, Iallgather, in_place ? MPI_IN_PLACE : out, 2, MPI_INT, in, 2, MPI_INT, W);
    for (int r = 0; r < n; r++)
        CHECK_INT(in[2 * r + 1], 1000 * r + 1);
    fill();
    if (in_place)
        memcpy(in + places[me], out, counts[me] * sizeof(int));
    DO(Allgatherv, Iallgatherv, in_place ? MPI_IN_PLACE : out, me + 1, MPI_INT, in, counts, places, MPI_INT, W);
    for (int r = 0; r < n; r++)
        CHECK_INT(in[places[r] + r], 1000 * r + r);
}

static void alltoall(int in_place)
{
    fill();
    if (in_place)
        memcpy(in, out, sizeof in);
    DO(Alltoall, Ialltoall, in_place ? MPI_IN_PLACE : out, 2, MPI_INT, in, 2, MPI_INT, W);
    for (int r = 0; r < n; r++)
        CHECK_INT(in[2 * r + 1], 1000 * r + 2 * me + 1);
}

/* In place, pairs exchange blocks of equal size: min of the two ranks + 1. */
static void alltoallv(int in_place)
{
    int sizes[MAX], at[MAX];
    fill();
    for (int r = 0; r < n; r++) {
        sizes[r] = (r < me ? r : me) + 1;
        at[r] = r * MAX;
    }
    if (in_place)
        memcpy(in, out, sizeof in);
    DO(Alltoallv, Ialltoallv, in_place ? MPI_IN_PLACE : out, in_place ? NULL : sizes,
       in_place ? NULL : at, in_place ? MPI_DATATYPE_NULL : MPI_INT, in, sizes, at, MPI_INT, W);
    for (int r = 0; r < n; r++)
        CHECK_INT(in[r * MAX + sizes[r] - 1], 1000 * r + me * MAX + sizes[r] - 1);
}

static void reductions(int root, int in_place)
{
    int sum = n * (n - 1) / 2, stay = in_place && me == root;
    fill();
    in[0] = me, in[1] = 1;
    out[0] = me, out[1] = 1;
    DO(Reduce, Ireduce, stay ? MPI_IN_PLACE : out, in, 2, MPI_INT, MPI_SUM, root, W);
    CHECK_INT(in[0], me == root ? sum : me);
    in[0] = me, in[1] = 1;
    DO(Allreduce, Iallreduce, in_place ? MPI_IN_PLACE : out, in, 2, MPI_INT, MPI_MAX, W);
    CHECK_INT(in[0], n - 1);
    in[0] = me, in[1] = 1;
    DO(Scan, Iscan, in_place ? MPI_IN_PLACE : out, in, 2, MPI_INT, MPI_SUM, W);
    CHECK_INT(in[0], me * (me + 1) / 2);
    CHECK_INT(in[1], me + 1);
    in[0] = me, in[1] = 1;
    DO(Exscan, Iexscan, in_place ? MPI_IN_PLACE : out, in, 2, MPI_INT, MPI_SUM, W);
    if (me > 0)
        CHECK_INT(in[1], me);
}

static void reduce_scatter(int in_place)
{
    int offset = me * (me + 1) / 2;
    fill();
    for (int i = 0; i < MAX * MAX; i++)
        in[i] = out[i] = i;
    DO(Reduce_scatter, Ireduce_scatter, in_place ? MPI_IN_PLACE : out, in, counts, MPI_INT, MPI_SUM, W);
    for (int i = 0; i <= me; i++)
        CHECK_INT(in[i], n * (offset + i));
    for (int i = 0; i < MAX * MAX; i++)
        in[i] = out[i] = i;
    DO(Reduce_scatter_block, Ireduce_scatter_block, in_place ? MPI_IN_PLACE : out, in, 3, MPI_INT, MPI_SUM, W);
    for (int i = 0; i < 3; i++)
        CHECK_INT(in[i], n * (3 * me + i));
}

/* Many different collectives pending at once, completed by one call. */
static void many_pending(void)
{
    enum { EACH = 25, ALL = 4 * EACH };
    static int sums[EACH], values[EACH], roots[EACH];
    MPI_Request all[ALL];
    for (int i = 0; i < EACH; i++) {
        values[i] = me + i;
        roots[i] = me == i % n ? i : -1;
        OK(MPI_Ibcast(&roots[i], 1, MPI_INT, i % n, W, &all[4 * i]));
        OK(MPI_Iallreduce(&values[i], &sums[i], 1, MPI_INT, MPI_SUM, W, &all[4 * i + 1]));
        OK(MPI_Ibarrier(W, &all[4 * i + 2]));
        all[4 * i + 3] = MPI_REQUEST_NULL;
    }
    OK(MPI_Waitall(ALL, all, MPI_STATUSES_IGNORE));
    for (int i = 0; i < EACH; i++) {
        CHECK_INT(roots[i], i);
        CHECK_INT(sums[i], n * (n - 1) / 2 + n * i);
    }
}

/* Send and receive sides may use different, derived types. */
static void derived_types(void)
{
    MPI_Datatype column;
    fill();
    OK(MPI_Type_vector(4, 1, 2, MPI_INT, &column));
    OK(MPI_Type_commit(&column));
    DO(Allgather, Iallgather, out, 1, column, in, 4, MPI_INT, W);
    for (int r = 0; r < n; r++)
        CHECK_INT(in[4 * r + 3], 1000 * r + 6);
    OK(MPI_Type_free(&column));
}

int main(int argc, char **argv)
{
    check_begin(&argc, &argv);
    n = check_size, me = check_rank;
    for (nonblocking = 0; nonblocking < 2; nonblocking++) {
        for (int in_place = 0; in_place < 2; in_place++) {
            for (int root = 0; root < n; root++) {
                bcast_and_barrier(root);
                gather_scatter(root, in_place);
                gatherv_scatterv(root, in_place);
                reductions(root, in_place);
            }
            allgather(in_place);
            alltoall(in_place);
            alltoallv(in_place);
            reduce_scatter(in_place);
        }
        derived_types();
    }
    many_pending();
    return check_end();
}
