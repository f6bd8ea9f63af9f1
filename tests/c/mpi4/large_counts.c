/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks: 2 */
/* The _c variants with MPI_Count arguments, in every class of function. */
#include "check.h"

#define W MPI_COMM_WORLD
static int me, peer;

static void point_to_point(void)
{
    int out[3] = { me, 10 + me, 20 + me }, in[3] = { -1, -1, -1 };
    MPI_Count count = -1;
    MPI_Request requests[2];
    MPI_Status status;
    OK(MPI_Sendrecv_c(out, (MPI_Count)3, MPI_INT, peer, 1, in, (MPI_Count)3, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, W, &status));
    CHECK_INT(in[2], 20 + peer);
    OK(MPI_Get_count_c(&status, MPI_INT, &count));
    CHECK_INT(count, 3);
    OK(MPI_Get_elements_c(&status, MPI_INT, &count));
    CHECK_INT(count, 3);
    in[2] = -1;
    OK(MPI_Irecv_c(in, 3, MPI_INT, peer, 2, W, &requests[0]));
    OK(MPI_Isend_c(out, 3, MPI_INT, peer, 2, W, &requests[1]));
    OK(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
    CHECK_INT(in[2], 20 + peer);
}

static void types(void)
{
    MPI_Count size = -1, lower = -1, extent = -1, lengths[2] = { 1, 2 }, places[2] = { 0, 4 };
    MPI_Count addresses[2] = { 0, 64 }, ints = -1, addrs = -1, large = -1, kinds = -1, counts[8];
    MPI_Aint none[4];
    int combiner = -1, integers[8];
    MPI_Datatype type, inner[4];
    OK(MPI_Type_contiguous_c((MPI_Count)5000000000, MPI_INT, &type));
    OK(MPI_Type_size_c(type, &size));
    CHECK_INT(size, 20000000000);
    OK(MPI_Type_get_envelope_c(type, &ints, &addrs, &large, &kinds, &combiner));
    CHECK_INT(combiner, MPI_COMBINER_CONTIGUOUS);
    CHECK_INT(large, 1);
    CHECK_INT(kinds, 1);
    OK(MPI_Type_get_contents_c(type, ints, addrs, large, kinds, integers, none, counts, inner));
    CHECK_INT(counts[0], 5000000000);
    CHECK(inner[0] == MPI_INT);
    OK(MPI_Type_free(&type));
    OK(MPI_Type_indexed_c(2, lengths, places, MPI_INT, &type));
    OK(MPI_Type_get_extent_c(type, &lower, &extent));
    CHECK_INT(extent, 24);
    OK(MPI_Type_free(&type));
    OK(MPI_Type_create_hindexed_c(2, lengths, addresses, MPI_INT, &type));
    OK(MPI_Type_get_true_extent_c(type, &lower, &extent));
    CHECK_INT(extent, 72);
    OK(MPI_Type_free(&type));
    MPI_Datatype parts[2] = { MPI_DOUBLE, MPI_CHAR };
    OK(MPI_Type_create_struct_c(2, lengths, addresses, parts, &type));
    OK(MPI_Type_size_c(type, &size));
    CHECK_INT(size, 10);
    OK(MPI_Type_free(&type));
}

static void collectives(void)
{
    int mine[2] = { me, 5 + me }, all[4] = { -1, -1, -1, -1 }, sum = -1;
    MPI_Count counts[2] = { 2, 2 };
    MPI_Aint places[2] = { 0, 2 };
    MPI_Request request;
    OK(MPI_Allreduce_c(&me, &sum, (MPI_Count)1, MPI_INT, MPI_SUM, W));
    CHECK_INT(sum, 1);
    OK(MPI_Allgather_c(mine, 2, MPI_INT, all, 2, MPI_INT, W));
    CHECK_INT(all[3], 6);
    all[3] = -1;
    OK(MPI_Allgatherv_c(mine, 2, MPI_INT, all, counts, places, MPI_INT, W));
    CHECK_INT(all[3], 6);
    all[3] = -1;
    OK(MPI_Iallgatherv_c(mine, 2, MPI_INT, all, counts, places, MPI_INT, W, &request));
    OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    CHECK_INT(all[3], 6);
    int out[4] = { 10 * me, 1, 10 * me + 2, 3 };
    OK(MPI_Alltoallv_c(out, counts, places, MPI_INT, all, counts, places, MPI_INT, W));
    CHECK_INT(all[2], 10 + 2 * me);
    MPI_Aint bytes[2] = { 0, 8 };
    MPI_Datatype kinds[2] = { MPI_INT, MPI_INT };
    memset(all, -1, sizeof all);
    OK(MPI_Ialltoallw_c(out, counts, bytes, kinds, all, counts, bytes, kinds, W, &request));
    OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    CHECK_INT(all[2], 10 + 2 * me);
}

static void sum_elements(void *a, void *b, MPI_Count *length, MPI_Datatype *type)
{
    for (MPI_Count i = 0; i < *length; i++)
        ((int *)b)[i] += ((int *)a)[i];
    if (*type != MPI_INT)
        ((int *)b)[0] = -999;
}

static void operations_and_packing(void)
{
    int a = 2, b = 3, sum = -1;
    char buffer[64];
    MPI_Count place = 0, size = -1;
    MPI_Op op;
    OK(MPI_Op_create_c(sum_elements, 1, &op));
    OK(MPI_Reduce_local_c(&a, &b, 1, MPI_INT, op));
    CHECK_INT(b, 5);
    OK(MPI_Allreduce(&a, &sum, 1, MPI_INT, op, W));
    CHECK_INT(sum, 4);
    OK(MPI_Op_free(&op));
    OK(MPI_Pack_size_c(1, MPI_INT, W, &size));
    CHECK(size >= 4);
    OK(MPI_Pack_c(&a, 1, MPI_INT, buffer, sizeof buffer, &place, W));
    place = 0;
    OK(MPI_Unpack_c(buffer, sizeof buffer, &place, &b, 1, MPI_INT, W));
    CHECK_INT(b, 2);
}

static void windows(void)
{
    int *base = NULL, value = 30 + me, got = -1;
    MPI_Win win;
    OK(MPI_Win_allocate_c(64, (MPI_Aint)sizeof(int), MPI_INFO_NULL, W, &base, &win));
    OK(MPI_Win_fence(0, win));
    OK(MPI_Put_c(&value, 1, MPI_INT, peer, 2, 1, MPI_INT, win));
    OK(MPI_Win_fence(0, win));
    CHECK_INT(base[2], 30 + peer);
    OK(MPI_Get_c(&got, 1, MPI_INT, peer, 2, 1, MPI_INT, win));
    OK(MPI_Win_fence(0, win));
    CHECK_INT(got, 30 + me);
    OK(MPI_Win_free(&win));
}

int main(int argc, char **argv)
{
    check_begin(&argc, &argv);
    me = check_rank, peer = 1 - me;
    point_to_point();
    types();
    collectives();
    operations_and_packing();
    windows();
    return check_end();
}
