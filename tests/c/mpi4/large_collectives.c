/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks: 1 2 4 */
/* The _c variants of every collective, blocking and nonblocking. */
#include "check.h"

#define W MPI_COMM_WORLD
enum { MAX = 8 };
static int n, me, nonblocking, out[MAX * MAX], in[MAX * MAX];
static MPI_Count counts[MAX];
static MPI_Aint places[MAX], bytes[MAX];
static MPI_Datatype types[MAX];

#define DO(blocking_name, nonblocking_name, ...) do {                      \
        MPI_Request request;                                               \
        for (int i = 0; i < MAX * MAX; i++)                                \
            out[i] = 100 * me + i, in[i] = -1;                             \
        if (!nonblocking)                                                  \
            OK(MPI_##blocking_name##_c(__VA_ARGS__));                      \
        else {                                                             \
            OK(MPI_##nonblocking_name##_c(__VA_ARGS__, &request));         \
            OK(MPI_Wait(&request, MPI_STATUS_IGNORE));                     \
        }                                                                  \
    } while (0)

static void gathered(void)
{
    for (int r = 0; r < n; r++)
        CHECK_INT(in[2 * r + 1], 100 * r + 1);
}

static void exchanged(void)
{
    for (int r = 0; r < n; r++)
        CHECK_INT(in[2 * r + 1], 100 * r + 2 * me + 1);
}

static void moves(void)
{
    DO(Bcast, Ibcast, out, (MPI_Count)3, MPI_INT, 0, W);
    CHECK_INT(out[2], 2);
    DO(Gather, Igather, out, 2, MPI_INT, in, 2, MPI_INT, 0, W);
    if (me == 0)
        gathered();
    DO(Gatherv, Igatherv, out, 2, MPI_INT, in, counts, places, MPI_INT, 0, W);
    if (me == 0)
        gathered();
    DO(Allgather, Iallgather, out, 2, MPI_INT, in, 2, MPI_INT, W);
    gathered();
    DO(Allgatherv, Iallgatherv, out, 2, MPI_INT, in, counts, places, MPI_INT, W);
    gathered();
    DO(Scatter, Iscatter, out, 2, MPI_INT, in, 2, MPI_INT, 0, W);
    CHECK_INT(in[1], 2 * me + 1);
    DO(Scatterv, Iscatterv, out, counts, places, MPI_INT, in, 2, MPI_INT, 0, W);
    CHECK_INT(in[1], 2 * me + 1);
    DO(Alltoall, Ialltoall, out, 2, MPI_INT, in, 2, MPI_INT, W);
    exchanged();
    DO(Alltoallv, Ialltoallv, out, counts, places, MPI_INT, in, counts, places, MPI_INT, W);
    exchanged();
    DO(Alltoallw, Ialltoallw, out, counts, bytes, types, in, counts, bytes, types, W);
    exchanged();
}

/* Arguments that do not count, at ranks that are not the root, and beside MPI_IN_PLACE. */
static void junk(void)
{
    void *nowhere = JUNK(void *);
    MPI_Count some = JUNK(MPI_Count), *array = JUNK(MPI_Count *);
    MPI_Aint *displacements = JUNK(MPI_Aint *);
    MPI_Datatype type = JUNK(MPI_Datatype);
    if (me == 0)
        DO(Gather, Igather, out, 2, MPI_INT, in, 2, MPI_INT, 0, W);
    else
        DO(Gather, Igather, out, 2, MPI_INT, nowhere, some, type, 0, W);
    if (me == 0)
        gathered();
    if (me == 0)
        DO(Gatherv, Igatherv, out, 2, MPI_INT, in, counts, places, MPI_INT, 0, W);
    else
        DO(Gatherv, Igatherv, out, 2, MPI_INT, nowhere, array, displacements, type, 0, W);
    if (me == 0)
        gathered();
    if (me == 0)
        DO(Scatter, Iscatter, out, 2, MPI_INT, in, 2, MPI_INT, 0, W);
    else
        DO(Scatter, Iscatter, nowhere, some, type, in, 2, MPI_INT, 0, W);
    CHECK_INT(in[1], 2 * me + 1);
    DO(Allgather, Iallgather, MPI_IN_PLACE, some, type, in, 2, MPI_INT, W);
    DO(Alltoallv, Ialltoallv, MPI_IN_PLACE, array, displacements, type, in, counts, places, MPI_INT, W);
}

static void reductions(void)
{
    int hundreds = 100 * n * (n - 1) / 2;
    DO(Reduce, Ireduce, out, in, 2, MPI_INT, MPI_SUM, 0, W);
    CHECK_INT(in[1], me == 0 ? hundreds + n : -1);
    DO(Allreduce, Iallreduce, out, in, 2, MPI_INT, MPI_SUM, W);
    CHECK_INT(in[1], hundreds + n);
    DO(Scan, Iscan, out, in, 2, MPI_INT, MPI_SUM, W);
    CHECK_INT(in[1], 100 * me * (me + 1) / 2 + me + 1);
    DO(Exscan, Iexscan, out, in, 2, MPI_INT, MPI_SUM, W);
    if (me > 0)
        CHECK_INT(in[1], 100 * me * (me - 1) / 2 + me);
    DO(Reduce_scatter, Ireduce_scatter, out, in, counts, MPI_INT, MPI_SUM, W);
    CHECK_INT(in[1], hundreds + n * (2 * me + 1));
    DO(Reduce_scatter_block, Ireduce_scatter_block, out, in, 2, MPI_INT, MPI_SUM, W);
    CHECK_INT(in[1], hundreds + n * (2 * me + 1));
}

static void neighbourhood(void)
{
    int left = (me + n - 1) % n, right = (me + 1) % n;
    MPI_Comm ring;
    OK(MPI_Dist_graph_create_adjacent(W, 1, &left, MPI_UNWEIGHTED, 1, &right, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &ring));
    DO(Neighbor_allgather, Ineighbor_allgather, out, 2, MPI_INT, in, 2, MPI_INT, ring);
    CHECK_INT(in[1], 100 * left + 1);
    DO(Neighbor_allgatherv, Ineighbor_allgatherv, out, 2, MPI_INT, in, counts, places, MPI_INT, ring);
    CHECK_INT(in[1], 100 * left + 1);
    DO(Neighbor_alltoall, Ineighbor_alltoall, out, 2, MPI_INT, in, 2, MPI_INT, ring);
    CHECK_INT(in[1], 100 * left + 1);
    DO(Neighbor_alltoallv, Ineighbor_alltoallv, out, counts, places, MPI_INT, in, counts, places, MPI_INT, ring);
    CHECK_INT(in[1], 100 * left + 1);
    DO(Neighbor_alltoallw, Ineighbor_alltoallw, out, counts, bytes, types, in, counts, bytes, types, ring);
    CHECK_INT(in[1], 100 * left + 1);
    OK(MPI_Comm_free(&ring));
}

int main(int argc, char **argv)
{
    check_begin(&argc, &argv);
    n = check_size, me = check_rank;
    for (int r = 0; r < n; r++)
        counts[r] = 2, places[r] = 2 * r, bytes[r] = 2 * r * sizeof(int), types[r] = MPI_INT;
    for (nonblocking = 0; nonblocking < 2; nonblocking++) {
        moves();
        junk();
        reductions();
        neighbourhood();
    }
    return check_end();
}
