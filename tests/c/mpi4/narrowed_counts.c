/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks: 2 4 */
/* Large-count procedures with some thousand elements: with an adapter that was built to give its
 * host no more than 100 at a time, every one of them takes the way of counts above 2^31. */
#include "check.h"

#define W MPI_COMM_WORLD
enum { COUNT = 12345, RANKS = 4 };
static int n, me, left, right, out[RANKS * COUNT], in[RANKS * COUNT];

static void fill(void)
{
    for (int i = 0; i < RANKS * COUNT; i++)
        out[i] = 100000 * me + i, in[i] = -1;
}

static void is_from(int rank, int at, int shift)
{
    int wrong = 0;
    for (int i = 0; i < COUNT; i++)
        wrong += in[at + i] != 100000 * rank + shift + i;
    CHECK_INT(wrong, 0);
}

static void point_to_point(void)
{
    MPI_Count count = -1;
    MPI_Request requests[2];
    MPI_Status status;
    fill();
    OK(MPI_Sendrecv_c(out, COUNT, MPI_INT, right, 1, in, COUNT + 5, MPI_INT, left, 1, W, &status));
    is_from(left, 0, 0);
    OK(MPI_Get_count_c(&status, MPI_INT, &count));
    CHECK_INT(count, COUNT);
    OK(MPI_Get_elements_c(&status, MPI_INT, &count));
    CHECK_INT(count, COUNT);
    fill();
    OK(MPI_Irecv_c(in, COUNT, MPI_INT, left, 2, W, &requests[0]));
    OK(MPI_Isend_c(out, COUNT, MPI_INT, right, 2, W, &requests[1]));
    OK(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
    is_from(left, 0, 0);
    fill();
    OK(MPI_Isendrecv_c(out, COUNT, MPI_INT, right, 3, in, COUNT, MPI_INT, left, 3, W, &requests[0]));
    OK(MPI_Wait(&requests[0], &status));
    is_from(left, 0, 0);
    fill();
    OK(MPI_Recv_init_c(in, COUNT, MPI_INT, left, 4, W, &requests[0]));
    OK(MPI_Send_init_c(out, COUNT, MPI_INT, right, 4, W, &requests[1]));
    for (int round = 0; round < 2; round++) {
        OK(MPI_Startall(2, requests));
        OK(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
        is_from(left, 0, 0);
    }
    OK(MPI_Request_free(&requests[0]));
    OK(MPI_Request_free(&requests[1]));
}

static void moves(void)
{
    MPI_Request request;
    fill();
    OK(MPI_Gather_c(out, COUNT, MPI_INT, in, COUNT, MPI_INT, n - 1, W));
    for (int r = 0; me == n - 1 && r < n; r++)
        is_from(r, r * COUNT, 0);
    fill();
    OK(MPI_Scatter_c(out, COUNT, MPI_INT, in, COUNT, MPI_INT, 0, W));
    is_from(0, 0, me * COUNT);
    fill();
    OK(MPI_Ialltoall_c(out, COUNT, MPI_INT, in, COUNT, MPI_INT, W, &request));
    OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    for (int r = 0; r < n; r++)
        is_from(r, r * COUNT, me * COUNT);
    fill();
    memcpy(in + me * COUNT, out, COUNT * sizeof(int));
    OK(MPI_Allgather_c(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, in, COUNT, MPI_INT, W));
    for (int r = 0; r < n; r++)
        is_from(r, r * COUNT, 0);
    OK(MPI_Bcast_init_c(in, COUNT, MPI_INT, 0, W, MPI_INFO_NULL, &request));
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < COUNT; i++)
            in[i] = me == 0 ? i + round : -1;
        OK(MPI_Start(&request));
        OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
        is_from(0, 0, round);
    }
    OK(MPI_Request_free(&request));
}

static void sum_elements(void *a, void *b, MPI_Count *length, MPI_Datatype *type)
{
    for (MPI_Count i = 0; i < *length; i++)
        ((int *)b)[i] += ((int *)a)[i];
}

static void is_sum(int ranks, int round)
{
    int wrong = 0;
    for (int i = 0; i < COUNT; i++)
        wrong += in[i] != ranks * (i + round) + 100000 * ranks * (ranks - 1) / 2;
    CHECK_INT(wrong, 0);
}

static void reductions(void)
{
    MPI_Op op;
    MPI_Request requests[2];
    OK(MPI_Op_create_c(sum_elements, 1, &op));
    fill();
    OK(MPI_Allreduce_c(out, in, COUNT, MPI_INT, op, W));
    is_sum(n, 0);
    memcpy(in, out, sizeof in);
    OK(MPI_Allreduce_c(MPI_IN_PLACE, in, COUNT, MPI_INT, op, W));
    is_sum(n, 0);
    fill();
    OK(MPI_Reduce_c(out, in, COUNT, MPI_INT, MPI_SUM, n - 1, W));
    if (me == n - 1)
        is_sum(n, 0);
    fill();
    OK(MPI_Iscan_c(out, in, COUNT, MPI_INT, op, W, &requests[0]));
    OK(MPI_Ibarrier(W, &requests[1]));
    OK(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
    CHECK(requests[0] == MPI_REQUEST_NULL);
    is_sum(me + 1, 0);
    OK(MPI_Allreduce_init_c(out, in, COUNT, MPI_INT, op, W, MPI_INFO_NULL, &requests[0]));
    OK(MPI_Op_free(&op));
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < COUNT; i++)
            out[i] = 100000 * me + i + round, in[i] = -1;
        OK(MPI_Start(&requests[0]));
        OK(MPI_Wait(&requests[0], MPI_STATUS_IGNORE));
        is_sum(n, round);
    }
    OK(MPI_Request_free(&requests[0]));
    fill();
    memset(in, 0, sizeof in);
    OK(MPI_Reduce_local_c(out, in, COUNT, MPI_INT, MPI_SUM));
    is_from(me, 0, 0);
}

static void packing(void)
{
    MPI_Count size = -1, place = 0, total;
    fill();
    OK(MPI_Pack_size_c(COUNT, MPI_INT, W, &size));
    CHECK(size >= (MPI_Count)(COUNT * sizeof(int)));
    char *buffer = malloc((size_t)size);
    OK(MPI_Pack_c(out, COUNT, MPI_INT, buffer, size, &place, W));
    total = place;
    place = 0;
    OK(MPI_Unpack_c(buffer, total, &place, in, COUNT, MPI_INT, W));
    CHECK_INT(place, total);
    is_from(me, 0, 0);
    free(buffer);
}

/* Sends one element of a datatype, and compares with what it should have picked. */
static void picks(MPI_Datatype type, int count, int (*index)(int))
{
    MPI_Count size = -1;
    int wrong = 0;
    OK(MPI_Type_commit(&type));
    OK(MPI_Type_size_c(type, &size));
    CHECK_INT(size, count * (MPI_Count)sizeof(int));
    fill();
    OK(MPI_Sendrecv_c(out, 1, type, right, 5, in, count, MPI_INT, left, 5, W, MPI_STATUS_IGNORE));
    for (int i = 0; i < count; i++)
        wrong += in[i] != 100000 * left + index(i);
    CHECK_INT(wrong, 0);
    OK(MPI_Type_free(&type));
}

static int every_third(int i) { return 3 * i; }
static int blocks_of_500(int i) { return i / 500 * 700 + i % 500; }
static int two_blocks(int i) { return i < 300 ? 10 + i : 1000 + i - 300; }
static int part_of_square(int i) { return (20 + i / 30) * 200 + 150 + i % 30; }

static void types(void)
{
    MPI_Datatype type;
    MPI_Count lengths[] = { 300, 450 }, places[] = { 10, 1000 }, lower, extent;
    MPI_Count sizes[] = { 220, 200 }, subsizes[] = { 160, 30 }, starts[] = { 20, 150 };
    OK(MPI_Type_vector_c(4321, 1, 3, MPI_INT, &type));
    picks(type, 4321, every_third);
    OK(MPI_Type_vector_c(11, 500, 700, MPI_INT, &type));
    picks(type, 5500, blocks_of_500);
    OK(MPI_Type_indexed_c(2, lengths, places, MPI_INT, &type));
    picks(type, 750, two_blocks);
    OK(MPI_Type_create_subarray_c(2, sizes, subsizes, starts, MPI_ORDER_C, MPI_INT, &type));
    OK(MPI_Type_get_extent_c(type, &lower, &extent));
    CHECK_INT(lower, 0);
    CHECK_INT(extent, 220 * 200 * (MPI_Count)sizeof(int));
    picks(type, 4800, part_of_square);
}

int main(int argc, char **argv)
{
    check_begin(&argc, &argv);
    n = check_size, me = check_rank;
    left = (me + n - 1) % n, right = (me + 1) % n;
    point_to_point();
    moves();
    reductions();
    packing();
    types();
    return check_end();
}
