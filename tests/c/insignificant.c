/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks: 4 */
/* Arguments that do not count: at ranks that are not the root, beside MPI_IN_PLACE, beside a leader, for no elements. Programs leave
 * them as memory has them, and MPI looks at none. Buffers of no elements may have any address, also one that is a constant of another
 * MPI. */
#include "check.h"

enum { RANKS = 4, ROOT = 1 };

#define ANYWHERE JUNK(void *)

static int me, at_root, mine;
static int all[RANKS], counts[RANKS], places[RANKS], byte_places[RANKS];
static MPI_Datatype types[RANKS];

static void prepare(void)
{
    mine = 10 * me;
    for (int r = 0; r < RANKS; r++) {
        all[r] = 100 + r;
        counts[r] = 1;
        places[r] = r;
        byte_places[r] = r * (int)sizeof(int);
        types[r] = MPI_INT;
    }
}

static void check_gathered(void)
{
    for (int r = 0; at_root && r < RANKS; r++)
        CHECK_INT(all[r], 10 * r);
    prepare();
}

static void check_scattered(void)
{
    CHECK_INT(mine, 100 + me);
    prepare();
}

static void finish(MPI_Request *request)
{
    OK(MPI_Wait(request, MPI_STATUS_IGNORE));
}

/* Data that arrives at the root, and data that leaves it. */
#define ARRIVES ANYWHERE, JUNK(int), JUNK(MPI_Datatype)
#define ARRIVE ANYWHERE, JUNK(int *), JUNK(int *), JUNK(MPI_Datatype)

static void beside_the_root(void)
{
    MPI_Comm world = MPI_COMM_WORLD;
    MPI_Request request;
    OK(at_root ? MPI_Gather(&mine, 1, MPI_INT, all, 1, MPI_INT, ROOT, world)
               : MPI_Gather(&mine, 1, MPI_INT, ARRIVES, ROOT, world));
    check_gathered();
    OK(at_root ? MPI_Gatherv(&mine, 1, MPI_INT, all, counts, places, MPI_INT, ROOT, world)
               : MPI_Gatherv(&mine, 1, MPI_INT, ARRIVE, ROOT, world));
    check_gathered();
    OK(at_root ? MPI_Scatter(all, 1, MPI_INT, &mine, 1, MPI_INT, ROOT, world)
               : MPI_Scatter(ARRIVES, &mine, 1, MPI_INT, ROOT, world));
    check_scattered();
    OK(at_root ? MPI_Scatterv(all, counts, places, MPI_INT, &mine, 1, MPI_INT, ROOT, world)
               : MPI_Scatterv(ARRIVE, &mine, 1, MPI_INT, ROOT, world));
    check_scattered();
    OK(at_root ? MPI_Igather(&mine, 1, MPI_INT, all, 1, MPI_INT, ROOT, world, &request)
               : MPI_Igather(&mine, 1, MPI_INT, ARRIVES, ROOT, world, &request));
    finish(&request);
    check_gathered();
    OK(at_root ? MPI_Igatherv(&mine, 1, MPI_INT, all, counts, places, MPI_INT, ROOT, world, &request)
               : MPI_Igatherv(&mine, 1, MPI_INT, ARRIVE, ROOT, world, &request));
    finish(&request);
    check_gathered();
    OK(at_root ? MPI_Iscatter(all, 1, MPI_INT, &mine, 1, MPI_INT, ROOT, world, &request)
               : MPI_Iscatter(ARRIVES, &mine, 1, MPI_INT, ROOT, world, &request));
    finish(&request);
    check_scattered();
    OK(at_root ? MPI_Iscatterv(all, counts, places, MPI_INT, &mine, 1, MPI_INT, ROOT, world, &request)
               : MPI_Iscatterv(ARRIVE, &mine, 1, MPI_INT, ROOT, world, &request));
    finish(&request);
    check_scattered();
}

/* The root's own block. */
static void in_place_at_the_root(void)
{
    MPI_Comm world = MPI_COMM_WORLD;
    if (at_root)
        all[me] = mine;
    OK(at_root ? MPI_Gather(MPI_IN_PLACE, JUNK(int), JUNK(MPI_Datatype), all, 1, MPI_INT, ROOT, world)
               : MPI_Gather(&mine, 1, MPI_INT, ARRIVES, ROOT, world));
    check_gathered();
    if (at_root)
        all[me] = mine;
    OK(at_root ? MPI_Gatherv(MPI_IN_PLACE, JUNK(int), JUNK(MPI_Datatype), all, counts, places, MPI_INT, ROOT, world)
               : MPI_Gatherv(&mine, 1, MPI_INT, ARRIVE, ROOT, world));
    check_gathered();
    if (at_root)
        mine = all[me];
    OK(at_root ? MPI_Scatter(all, 1, MPI_INT, MPI_IN_PLACE, JUNK(int), JUNK(MPI_Datatype), ROOT, world)
               : MPI_Scatter(ARRIVES, &mine, 1, MPI_INT, ROOT, world));
    check_scattered();
    if (at_root)
        mine = all[me];
    OK(at_root ? MPI_Scatterv(all, counts, places, MPI_INT, MPI_IN_PLACE, JUNK(int), JUNK(MPI_Datatype), ROOT, world)
               : MPI_Scatterv(ARRIVE, &mine, 1, MPI_INT, ROOT, world));
    check_scattered();
}

static void check_allgathered(void)
{
    for (int r = 0; r < RANKS; r++)
        CHECK_INT(all[r], 10 * r);
    prepare();
    all[me] = mine;
}

/* Rank a's block b goes to block a of rank b. */
static void prepare_exchange(void)
{
    prepare();
    for (int r = 0; r < RANKS; r++)
        all[r] = 10 * me + r;
}

static void check_exchanged(void)
{
    for (int r = 0; r < RANKS; r++)
        CHECK_INT(all[r], 10 * r + me);
    prepare_exchange();
}

static void in_place(void)
{
    MPI_Comm world = MPI_COMM_WORLD;
    MPI_Request request;
    prepare();
    all[me] = mine;
    OK(MPI_Allgather(MPI_IN_PLACE, JUNK(int), JUNK(MPI_Datatype), all, 1, MPI_INT, world));
    check_allgathered();
    OK(MPI_Allgatherv(MPI_IN_PLACE, JUNK(int), JUNK(MPI_Datatype), all, counts, places, MPI_INT, world));
    check_allgathered();
    OK(MPI_Iallgather(MPI_IN_PLACE, JUNK(int), JUNK(MPI_Datatype), all, 1, MPI_INT, world, &request));
    finish(&request);
    check_allgathered();
    OK(MPI_Iallgatherv(MPI_IN_PLACE, JUNK(int), JUNK(MPI_Datatype), all, counts, places, MPI_INT, world, &request));
    finish(&request);
    check_allgathered();
    prepare_exchange();
    OK(MPI_Alltoall(MPI_IN_PLACE, JUNK(int), JUNK(MPI_Datatype), all, 1, MPI_INT, world));
    check_exchanged();
    OK(MPI_Alltoallv(MPI_IN_PLACE, JUNK(int *), JUNK(int *), JUNK(MPI_Datatype), all, counts, places, MPI_INT, world));
    check_exchanged();
    OK(MPI_Alltoallw(MPI_IN_PLACE, JUNK(int *), JUNK(int *), JUNK(MPI_Datatype *), all, counts, byte_places, types, world));
    check_exchanged();
    if (!known_fault("ialltoall-in-place")) {
        OK(MPI_Ialltoall(MPI_IN_PLACE, JUNK(int), JUNK(MPI_Datatype), all, 1, MPI_INT, world, &request));
        finish(&request);
        check_exchanged();
    }
    OK(MPI_Ialltoallv(MPI_IN_PLACE, JUNK(int *), JUNK(int *), JUNK(MPI_Datatype), all, counts, places, MPI_INT, world, &request));
    finish(&request);
    check_exchanged();
    OK(MPI_Ialltoallw(MPI_IN_PLACE, JUNK(int *), JUNK(int *), JUNK(MPI_Datatype *), all, counts, byte_places, types, world, &request));
    finish(&request);
    check_exchanged();
    prepare();
}

/* Of two groups only one rank receives, or sends. Rank 1 of one group is the root, and the other has ranks with the root's number. */
static void between_groups(MPI_Comm both, int inside)
{
    int rooted = me % 2 == 1, root = !rooted ? 1 : inside == 1 ? MPI_ROOT : MPI_PROC_NULL, got[2] = { -1, -1 };
    int is_root = root == MPI_ROOT, two[2] = { 7, 8 }, sum = -1;
    MPI_Request request;
    if (rooted) {
        OK(is_root ? MPI_Gather(ARRIVES, got, 1, MPI_INT, root, both) : MPI_Gather(ARRIVES, ARRIVES, root, both));
        OK(is_root ? MPI_Gatherv(ARRIVES, got, counts, places, MPI_INT, root, both) : MPI_Gatherv(ARRIVES, ARRIVE, root, both));
        OK(is_root ? MPI_Scatter(two, 1, MPI_INT, ARRIVES, root, both) : MPI_Scatter(ARRIVES, ARRIVES, root, both));
        OK(is_root ? MPI_Scatterv(two, counts, places, MPI_INT, ARRIVES, root, both) : MPI_Scatterv(ARRIVE, ARRIVES, root, both));
    } else {
        OK(MPI_Gather(&mine, 1, MPI_INT, ARRIVES, root, both));
        OK(MPI_Gatherv(&mine, 1, MPI_INT, ARRIVE, root, both));
        OK(MPI_Scatter(ARRIVES, &sum, 1, MPI_INT, root, both));
        CHECK_INT(sum, 7 + inside);
        sum = -1;
        OK(MPI_Scatterv(ARRIVE, &sum, 1, MPI_INT, root, both));
        CHECK_INT(sum, 7 + inside);
    }
    if (is_root)
        for (int r = 0; r < 2; r++)
            CHECK_INT(got[r], 10 * 2 * r);
    if (!known_fault("reduce-apart")) {
        OK(is_root  ? MPI_Reduce(ANYWHERE, &sum, 1, MPI_INT, MPI_SUM, root, both)
           : rooted ? MPI_Reduce(ANYWHERE, ANYWHERE, JUNK(int), JUNK(MPI_Datatype), JUNK(MPI_Op), root, both)
                    : MPI_Reduce(&mine, ANYWHERE, 1, MPI_INT, MPI_SUM, root, both));
        OK(is_root  ? MPI_Ireduce(ANYWHERE, &sum, 1, MPI_INT, MPI_SUM, root, both, &request)
           : rooted ? MPI_Ireduce(ANYWHERE, ANYWHERE, JUNK(int), JUNK(MPI_Datatype), JUNK(MPI_Op), root, both, &request)
                    : MPI_Ireduce(&mine, ANYWHERE, 1, MPI_INT, MPI_SUM, root, both, &request));
        finish(&request);
        if (is_root)
            CHECK_INT(sum, 20);
    }
    /* The next operation shows whether all have counted this one. MPICH delivers what another root than 0 sends wrongly. */
    if (!known_fault("ibcast-apart")) {
        int is_first = rooted && inside == 0;
        OK(is_first ? MPI_Ibcast(two, 1, MPI_INT, MPI_ROOT, both, &request)
           : rooted ? MPI_Ibcast(ANYWHERE, 0, MPI_INT, MPI_PROC_NULL, both, &request)
                    : MPI_Ibcast(got, 1, MPI_INT, 0, both, &request));
        finish(&request);
        if (!rooted)
            CHECK_INT(got[0], 7);
        OK(MPI_Ialltoall(two, 1, MPI_INT, got, 1, MPI_INT, both, &request));
        finish(&request);
        CHECK_INT(got[0], 7 + inside);
    }
}

static void beside_the_leader(void)
{
    MPI_Comm half, both;
    int inside;
    OK(MPI_Comm_split(MPI_COMM_WORLD, me % 2, me, &half));
    OK(MPI_Comm_rank(half, &inside));
    OK(inside == 0 || known_fault("peer-comm") ? MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - me % 2, 5, &both)
                                               : MPI_Intercomm_create(half, 0, JUNK(MPI_Comm), JUNK(int), 5, &both));
    between_groups(both, inside);
    OK(MPI_Comm_free(&both));
    OK(MPI_Comm_free(&half));
}

/* The datatypes of what is not sent. */
static void no_elements(void)
{
    int some[RANKS];
    MPI_Datatype few[RANKS];
    MPI_Request request;
    prepare_exchange();
    for (int r = 0; r < RANKS; r++) {
        some[r] = r != 2 && me != 2;
        few[r] = some[r] ? MPI_INT : JUNK(MPI_Datatype);
    }
    int got[RANKS] = { -1, -1, -1, -1 };
    OK(MPI_Alltoallw(all, some, byte_places, few, got, some, byte_places, few, MPI_COMM_WORLD));
    for (int r = 0; r < RANKS; r++)
        CHECK_INT(got[r], some[r] ? 10 * r + me : -1);
    memset(got, -1, sizeof got);
    OK(MPI_Ialltoallw(all, some, byte_places, few, got, some, byte_places, few, MPI_COMM_WORLD, &request));
    finish(&request);
    for (int r = 0; r < RANKS; r++)
        CHECK_INT(got[r], some[r] ? 10 * r + me : -1);
    prepare();
}

/* Ranks whose numbers differ by an odd number exchange an element. All datatypes are good: MPICH looks at those of no elements. */
static void no_elements_in_place(void)
{
    MPI_Request request;
    int some[RANKS], got[RANKS], behind[RANKS], total = 0;
    for (int r = 0; r < RANKS; r++) {
        some[r] = (me + r) % 2;
        behind[r] = total * (int)sizeof(int);
        total += some[r];
    }
    for (int nonblocking = 0; nonblocking < 2; nonblocking++) {
        for (int r = 0; r < RANKS; r++)
            got[r] = 10 * me + r;
        if (nonblocking) {
            OK(MPI_Ialltoallw(MPI_IN_PLACE, JUNK(int *), JUNK(int *), JUNK(MPI_Datatype *), got, some, behind, types, MPI_COMM_WORLD, &request));
            finish(&request);
        } else {
            OK(MPI_Alltoallw(MPI_IN_PLACE, JUNK(int *), JUNK(int *), JUNK(MPI_Datatype *), got, some, behind, types, MPI_COMM_WORLD));
        }
        /* A rank is the second or first partner of each of its own. */
        for (int r = 0, at = 0; r < RANKS; r++)
            if (some[r])
                CHECK_INT(got[at++], 10 * r + me / 2);
    }
}

static void no_origin(void)
{
    int *base, got = -1;
    MPI_Win window;
    OK(MPI_Win_allocate(16, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &window));
    *base = 40 + me;
    OK(MPI_Win_fence(0, window));
    OK(MPI_Get_accumulate(ANYWHERE, 0, JUNK(MPI_Datatype), &got, 1, MPI_INT, (me + 1) % RANKS, 0, 1, MPI_INT, MPI_NO_OP, window));
    OK(MPI_Win_fence(0, window));
    CHECK_INT(got, 40 + (me + 1) % RANKS);
    OK(MPI_Win_free(&window));
}

static void arguments_that_do_not_count(void)
{
    prepare();
    beside_the_root();
    in_place_at_the_root();
    in_place();
    beside_the_leader();
    if (!known_fault("types-of-no-elements"))
        no_elements();
    no_elements_in_place();
    no_origin();
}

/* ------------------------------------------------------------ addresses of no elements */

/* The last rank alone has an element, which the others send from and receive at `none`. */
static void one_element(void *none)
{
    int last = me == RANKS - 1, n = last, x = 7, y = -1, got[RANKS] = { -1, -1, -1, -1 }, only[RANKS] = { 0, 0, 0, 1 }, zero[RANKS] = { 0 };
    int first[RANKS] = { last, 0, 0, 0 };
    void *from = last ? &x : none, *to = last ? &y : none;
    MPI_Comm world = MPI_COMM_WORLD;
    MPI_Request request;
    OK(MPI_Gatherv(from, n, MPI_INT, got, only, zero, MPI_INT, 0, world));
    CHECK_INT(got[0], me == 0 ? 7 : -1);
    got[0] = -1;
    OK(MPI_Allgatherv(from, n, MPI_INT, got, only, zero, MPI_INT, world));
    CHECK_INT(got[0], 7);
    got[0] = -1;
    OK(MPI_Iallgatherv(from, n, MPI_INT, got, only, zero, MPI_INT, world, &request));
    finish(&request);
    CHECK_INT(got[0], 7);
    OK(MPI_Scatterv(me == 0 ? got : none, only, zero, MPI_INT, to, n, MPI_INT, 0, world));
    CHECK_INT(y, last ? 7 : -1);
    y = -1;
    OK(MPI_Alltoallv(me == 0 ? &x : none, me == 0 ? only : zero, zero, MPI_INT, to, first, zero, MPI_INT, world));
    CHECK_INT(y, last ? 7 : -1);
    y = -1;
    OK(MPI_Alltoallw(me == 0 ? &x : none, me == 0 ? only : zero, zero, types, to, first, zero, types, world));
    CHECK_INT(y, last ? 7 : -1);
}

static void no_element(void *none)
{
    int got[RANKS], keep = 5, zero = 0, in = -1, out = -1, weighted = 0, weights[2] = { 1, 1 };
    MPI_Comm world = MPI_COMM_WORLD, graph;
    OK(MPI_Gather(none, 0, MPI_INT, got, 0, MPI_INT, 0, world));
    OK(MPI_Gather(got, 0, MPI_INT, none, 0, MPI_INT, 0, world));
    OK(MPI_Scatter(none, 0, MPI_INT, got, 0, MPI_INT, 0, world));
    OK(MPI_Scatter(got, 0, MPI_INT, none, 0, MPI_INT, 0, world));
    OK(MPI_Allgather(none, 0, MPI_INT, got, 0, MPI_INT, world));
    OK(MPI_Allgather(got, 0, MPI_INT, none, 0, MPI_INT, world));
    OK(MPI_Alltoall(none, 0, MPI_INT, got, 0, MPI_INT, world));
    OK(MPI_Alltoall(got, 0, MPI_INT, none, 0, MPI_INT, world));
    OK(MPI_Bcast(none, 0, MPI_INT, 0, world));
    OK(MPI_Reduce(none, got, 0, MPI_INT, MPI_SUM, 0, world));
    OK(MPI_Reduce(got, none, 0, MPI_INT, MPI_SUM, 0, world));
    OK(MPI_Allreduce(none, got, 0, MPI_INT, MPI_SUM, world));
    OK(MPI_Allreduce(got, none, 0, MPI_INT, MPI_SUM, world));
    OK(MPI_Scan(none, got, 0, MPI_INT, MPI_SUM, world));
    OK(MPI_Exscan(got, none, 0, MPI_INT, MPI_SUM, world));
    OK(MPI_Reduce_scatter_block(none, got, 0, MPI_INT, MPI_SUM, world));
    OK(MPI_Reduce_local(none, got, 0, MPI_INT, MPI_SUM));
    /* In place, the receive buffer's element would be sent. */
    OK(MPI_Allgatherv(none, 0, MPI_INT, &keep, &zero, &zero, MPI_INT, MPI_COMM_SELF));
    CHECK_INT(keep, 5);
    OK(MPI_Sendrecv(none, 0, MPI_INT, (me + 1) % RANKS, 0, none, 0, MPI_INT, MPI_ANY_SOURCE, 0, world, MPI_STATUS_IGNORE));
    /* Rank 0 has no neighbours, and an empty array of weights; the others, a ring of their own, have weights. */
    int left = me == 1 ? RANKS - 1 : me - 1, right = me == RANKS - 1 ? 1 : me + 1, degree = me != 0;
    void *weigh = me == 0 ? none : weights;
    OK(MPI_Dist_graph_create_adjacent(world, degree, &left, weigh, degree, &right, weigh, MPI_INFO_NULL, 0, &graph));
    OK(MPI_Dist_graph_neighbors_count(graph, &in, &out, &weighted));
    CHECK_INT(in, degree);
    CHECK_INT(out, degree);
    CHECK_INT(weighted, 1);
    OK(MPI_Neighbor_allgather(none, 0, MPI_INT, got, 0, MPI_INT, graph));
    OK(MPI_Comm_free(&graph));
}

static void addresses_of_no_elements(void)
{
    static const MPI_Aint addresses[] = { 1, 2, 3, 4, 8, 10, 11, -1, -2 };
    for (size_t i = 0; i < sizeof addresses / sizeof *addresses; i++) {
        void *none = (void *)addresses[i];
        if (none == MPI_IN_PLACE || none == (void *)MPI_UNWEIGHTED || none == (void *)MPI_WEIGHTS_EMPTY)
            continue;
        one_element(none);
        no_element(none);
    }
}

int main(int argc, char **argv)
{
    check_begin(&argc, &argv);
    OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    OK(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    me = check_rank;
    at_root = me == ROOT;
    arguments_that_do_not_count();
    check_junk_byte = 0xa5;
    if (!known_fault("handles-of-objects"))
        arguments_that_do_not_count();
    addresses_of_no_elements();
    return check_end();
}
