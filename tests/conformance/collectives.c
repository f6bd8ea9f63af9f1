/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks: 2 */
/* Collective operations of two processes: what each leaves in the buffers, the order in which operations of the program's
 * are applied, intercommunicators, neighbors, and what is wrong with arguments on both processes. */
#include "handlers.h"

static MPI_Comm used; /* by the operations */
static int in[8], out[8];

static void fill(void)
{
    for (int i = 0; i < 8; i++) {
        in[i] = 10 * (here + 1) + i;
        out[i] = -1;
    }
}

/* The result of an operation in four numbers: as a blocking call, and as a request. */
#define ALL_WAYS(name, Name, ...) \
    do { \
        MPI_Request request = MPI_REQUEST_NULL; \
        MPI_Status status; \
        fill(); \
        SEE(#name, MPI_##Name(__VA_ARGS__, used), note_numbers(out, 4)); \
        fill(); \
        clear_statuses(&status, 1); \
        SEE("i" #name, MPI_I##name(__VA_ARGS__, used, &request), \
            MPI_Wait(&request, MPI_STATUS_IGNORE); note_numbers(out, 4); note(" %s", STATE(request, MPI_REQUEST_NULL))); \
        if (HAS(MPI_##Name##_init)) { \
            fill(); \
            SEE(#name "_init", MPI_##Name##_init(__VA_ARGS__, used, MPI_INFO_NULL, &request)); \
            SEE("start of " #name, MPI_Start(&request), \
                MPI_Wait(&request, MPI_STATUS_IGNORE); note_numbers(out, 4); note(" %s", STATE(request, MPI_REQUEST_NULL))); \
            SEE("request_free of " #name, MPI_Request_free(&request), note(" %s", STATE(request, MPI_REQUEST_NULL))); \
        } \
    } while (0)

static void in_one_communicator(void)
{
    int counts[2] = { 1, 2 }, places[2] = { 0, 1 }, bytes[2] = { 0, 8 }, one[2] = { 1, 1 };
    MPI_Datatype types[2] = { MPI_INT, MPI_INT };
    ALL_WAYS(bcast, Bcast, here == 0 ? in : out, 3, MPI_INT, 0);
    ALL_WAYS(gather, Gather, in, 2, MPI_INT, out, 2, MPI_INT, 1);
    ALL_WAYS(gatherv, Gatherv, in, here + 1, MPI_INT, out, counts, places, MPI_INT, 0);
    ALL_WAYS(scatter, Scatter, in, 2, MPI_INT, out, 2, MPI_INT, 1);
    ALL_WAYS(scatterv, Scatterv, in, counts, places, MPI_INT, out, here + 1, MPI_INT, 0);
    ALL_WAYS(allgather, Allgather, in, 2, MPI_INT, out, 2, MPI_INT);
    ALL_WAYS(allgatherv, Allgatherv, in, here + 1, MPI_INT, out, counts, places, MPI_INT);
    ALL_WAYS(alltoall, Alltoall, in, 2, MPI_INT, out, 2, MPI_INT);
    ALL_WAYS(alltoallv, Alltoallv, in, one, places, MPI_INT, out, one, places, MPI_INT);
    ALL_WAYS(alltoallw, Alltoallw, in, one, bytes, types, out, one, bytes, types);
    ALL_WAYS(reduce, Reduce, in, out, 2, MPI_INT, MPI_SUM, 1);
    ALL_WAYS(allreduce, Allreduce, in, out, 2, MPI_INT, MPI_PROD);
    ALL_WAYS(reduce_scatter, Reduce_scatter, in, out, counts, MPI_INT, MPI_MAX);
    ALL_WAYS(reduce_scatter_block, Reduce_scatter_block, in, out, 2, MPI_INT, MPI_MIN);
    ALL_WAYS(scan, Scan, in, out, 2, MPI_INT, MPI_SUM);
    ALL_WAYS(exscan, Exscan, in, out, 2, MPI_INT, MPI_SUM);
}

static void in_place(void)
{
    int counts[2] = { 1, 1 }, places[2] = { 0, 1 }, bytes[2] = { 0, 4 };
    MPI_Datatype types[2] = { MPI_INT, MPI_INT };
    void *mine = here == 0 ? MPI_IN_PLACE : in;
#define IN_PLACE(name, ...) \
    do { \
        fill(); \
        for (int i = 0; i < 8; i++) \
            out[i] = in[i]; \
        SEE(name " in place", __VA_ARGS__, note_numbers(out, 3)); \
    } while (0)
    IN_PLACE("gather", MPI_Gather(mine, 1, MPI_INT, out, 1, MPI_INT, 0, used));
    IN_PLACE("gatherv", MPI_Gatherv(mine, 1, MPI_INT, out, counts, places, MPI_INT, 0, used));
    IN_PLACE("scatter", MPI_Scatter(in, 1, MPI_INT, here == 0 ? MPI_IN_PLACE : out, 1, MPI_INT, 0, used));
    IN_PLACE("scatterv", MPI_Scatterv(in, counts, places, MPI_INT, here == 0 ? MPI_IN_PLACE : out, 1, MPI_INT, 0, used));
    IN_PLACE("allgather", MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, out, 1, MPI_INT, used));
    IN_PLACE("allgatherv", MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, out, counts, places, MPI_INT, used));
    IN_PLACE("alltoall", MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, out, 1, MPI_INT, used));
    IN_PLACE("alltoallv", MPI_Alltoallv(MPI_IN_PLACE, 0, 0, MPI_DATATYPE_NULL, out, counts, places, MPI_INT, used));
    IN_PLACE("alltoallw", MPI_Alltoallw(MPI_IN_PLACE, 0, 0, 0, out, counts, bytes, types, used));
    IN_PLACE("reduce", MPI_Reduce(here == 0 ? MPI_IN_PLACE : in, out, 2, MPI_INT, MPI_SUM, 0, used));
    IN_PLACE("allreduce", MPI_Allreduce(MPI_IN_PLACE, out, 2, MPI_INT, MPI_SUM, used));
    IN_PLACE("reduce_scatter", MPI_Reduce_scatter(MPI_IN_PLACE, out, counts, MPI_INT, MPI_SUM, used));
    IN_PLACE("reduce_scatter_block", MPI_Reduce_scatter_block(MPI_IN_PLACE, out, 1, MPI_INT, MPI_SUM, used));
    IN_PLACE("scan", MPI_Scan(MPI_IN_PLACE, out, 2, MPI_INT, MPI_SUM, used));
    IN_PLACE("exscan", MPI_Exscan(MPI_IN_PLACE, out, 2, MPI_INT, MPI_SUM, used));
}

static MPI_Datatype pair;

static void joined(void *from, void *to, int *count, MPI_Datatype *type)
{
    int numbers = *type == pair ? 2 * *count : *count;
    note(" join %d of %s", *count, *type == MPI_INT ? "MPI_INT" : *type == pair ? "pair" : "another");
    for (int i = 0; i < numbers; i++)
        ((int *)to)[i] += 100 * ((int *)from)[i];
}

static void located(void *from, void *to, int *count, MPI_Datatype *type)
{
    note(" locate %d of %s", *count, *type == MPI_2INT ? "MPI_2INT" : "another");
    memcpy(to, from, *count * 2 * sizeof(int));
}

static void operations(void)
{
    MPI_Op ordered, any, unwanted;
    int commutes = 77;
    MPI_Request request;
    MPI_Op_create(joined, 0, &ordered);
    MPI_Op_create(joined, 1, &any);
    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_commit(&pair);
#define APPLY(label, ...) do { fill(); SEE(label, __VA_ARGS__, note_numbers(out, 4)); } while (0)
    SEE("op_commutative", MPI_Op_commutative(ordered, &commutes), note(" %d", commutes));
    APPLY("reduce in order", MPI_Reduce(in, out, 2, MPI_INT, ordered, 0, used));
    APPLY("reduce in order to the second", MPI_Reduce(in, out, 2, MPI_INT, ordered, 1, used));
    APPLY("reduce in any order of pairs", MPI_Reduce(in, out, 1, pair, any, 0, used));
    APPLY("allreduce in order", MPI_Allreduce(in, out, 2, MPI_INT, ordered, used));
    APPLY("allreduce in order of pairs", MPI_Allreduce(in, out, 2, pair, ordered, used));
    APPLY("scan in order", MPI_Scan(in, out, 2, MPI_INT, ordered, used));
    APPLY("exscan in order", MPI_Exscan(in, out, 2, MPI_INT, ordered, used));
    APPLY("reduce_scatter_block in order", MPI_Reduce_scatter_block(in, out, 2, MPI_INT, ordered, used));
    APPLY("reduce of no numbers", MPI_Reduce(in, out, 0, MPI_INT, ordered, 0, used));
    APPLY("iallreduce in order", (__extension__({
        int code = MPI_Iallreduce(in, out, 2, MPI_INT, ordered, used, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        code;
    })));
    fill();
    SEE("ireduce by an operation that is freed", MPI_Ireduce(in, out, 2, pair, any, 0, used, &request),
        MPI_Op_free(&any); MPI_Wait(&request, MPI_STATUS_IGNORE);
        note_numbers(out, 4); note(" %s", STATE(any, MPI_OP_NULL)));
    MPI_Op_create(located, 1, &unwanted);
    APPLY("allreduce of MPI_2INT", MPI_Allreduce(in, out, 1, MPI_2INT, unwanted, used));
    APPLY("allreduce by MPI_MINLOC", MPI_Allreduce(in, out, 1, MPI_2INT, MPI_MINLOC, used));
    APPLY("allreduce by MPI_LXOR", MPI_Allreduce(in, out, 2, MPI_INT, MPI_LXOR, used));
    APPLY("allreduce by MPI_BXOR", MPI_Allreduce(in, out, 2, MPI_INT, MPI_BXOR, used));
    APPLY("reduce_local", MPI_Reduce_local(in, out, 2, MPI_INT, ordered));
    MPI_Op_free(&unwanted);
    MPI_Op_free(&ordered);
    MPI_Type_free(&pair);
}

static void arguments(void)
{
    MPI_Request request;
    int counts[2] = { 1, -1 }, good[2] = { 1, 1 }, places[2] = { 0, 1 };
    MPI_Datatype types[2] = { MPI_INT, MPI_DATATYPE_NULL };
    MPI_Op op = MPI_OP_NULL;
    fill();
    SEE("bcast of the null datatype", MPI_Bcast(in, 1, MPI_DATATYPE_NULL, 0, duplicate));
    SEE("bcast from rank 2", MPI_Bcast(in, 1, MPI_INT, 2, duplicate));
    SEE("bcast from MPI_ROOT", MPI_Bcast(in, 1, MPI_INT, MPI_ROOT, duplicate));
    SEE("bcast from MPI_PROC_NULL", MPI_Bcast(in, 1, MPI_INT, MPI_PROC_NULL, duplicate));
    if (!host_is("mpich"))
        SEE("bcast in place", MPI_Bcast(MPI_IN_PLACE, 1, MPI_INT, 0, duplicate));
    SEE("gather of a negative count", MPI_Gather(in, -1, MPI_INT, out, -1, MPI_INT, 0, duplicate));
    SEE("gatherv of a negative count", MPI_Gatherv(in, -1, MPI_INT, out, counts, places, MPI_INT, 0, duplicate));
    SEE("scatter from a negative root", MPI_Scatter(in, 1, MPI_INT, out, 1, MPI_INT, -7, duplicate));
    SEE("allgather of the null datatype", MPI_Allgather(in, 1, MPI_DATATYPE_NULL, out, 1, MPI_DATATYPE_NULL, duplicate));
    if (!host_is("openmpi"))
        SEE("allgatherv of a negative count", MPI_Allgatherv(in, 1, MPI_INT, out, counts, places, MPI_INT, duplicate));
    SEE("alltoall of a negative count", MPI_Alltoall(in, -1, MPI_INT, out, -1, MPI_INT, duplicate));
    SEE("alltoallv of a negative count", MPI_Alltoallv(in, counts, places, MPI_INT, out, good, places, MPI_INT, duplicate));
    SEE("alltoallw of the null datatype", MPI_Alltoallw(in, good, places, types, out, good, places, types, duplicate));
    if (!host_is("mpich"))
        SEE("alltoallw without datatypes", MPI_Alltoallw(in, good, places, 0, out, good, places, 0, duplicate));
    SEE("reduce by the null operation", MPI_Reduce(in, out, 1, MPI_INT, MPI_OP_NULL, 0, duplicate));
    SEE("reduce by MPI_REPLACE", MPI_Reduce(in, out, 1, MPI_INT, MPI_REPLACE, 0, duplicate));
    SEE("reduce of numbers by MPI_MINLOC", MPI_Reduce(in, out, 1, MPI_INT, MPI_MINLOC, 0, duplicate));
    SEE("allreduce of doubles by MPI_BOR", MPI_Allreduce(in, out, 1, MPI_DOUBLE, MPI_BOR, duplicate));
    SEE("reduce_scatter of a negative count", MPI_Reduce_scatter(in, out, counts, MPI_INT, MPI_SUM, duplicate));
    if (!host_is("mpich"))
        SEE("scan of a negative count", MPI_Scan(in, out, -1, MPI_INT, MPI_SUM, duplicate));
    SEE("exscan of the null datatype", MPI_Exscan(in, out, 1, MPI_DATATYPE_NULL, MPI_SUM, duplicate));
    UNTOUCHED(request);
    SEE("iallreduce by the null operation", MPI_Iallreduce(in, out, 1, MPI_INT, MPI_OP_NULL, duplicate, &request));
    SEE("ibarrier of the null communicator", MPI_Ibarrier(MPI_COMM_NULL, &request));
    SEE("reduce_local by the null operation", MPI_Reduce_local(in, out, 1, MPI_INT, MPI_OP_NULL));
    if (!host_is("mpich"))
        SEE("reduce_local of a negative count", MPI_Reduce_local(in, out, -1, MPI_INT, MPI_SUM));
    SEE("op_create of no function", MPI_Op_create(0, 1, &op), note(" %s", op == MPI_OP_NULL ? "null" : "made"));
    SEE("op_commutative of the null operation", MPI_Op_commutative(MPI_OP_NULL, counts));
    SEE("neighbor_allgather without a topology", MPI_Neighbor_allgather(in, 1, MPI_INT, out, 1, MPI_INT, duplicate));
    MPI_Barrier(MPI_COMM_WORLD);
}

static void across(void)
{
    MPI_Comm merged = MPI_COMM_NULL, between;
    MPI_Group group;
    int flag = 77, size = 77, result = 77, root = here == 0 ? MPI_ROOT : 0;
    SEE("intercomm_create", MPI_Intercomm_create(MPI_COMM_SELF, 0, MPI_COMM_WORLD, 1 - here, 5, &between));
    SEE("comm_test_inter", MPI_Comm_test_inter(between, &flag), note(" %d", flag));
    SEE("comm_size", MPI_Comm_size(between, &size), note(" %d", size));
    SEE("comm_remote_size", MPI_Comm_remote_size(between, &size), note(" %d", size));
    SEE("comm_remote_group", MPI_Comm_remote_group(between, &group),
        MPI_Group_rank(group, &size); note(" %s", size == MPI_UNDEFINED ? "without me" : "with me"));
    MPI_Group_free(&group);
    SEE("comm_compare with the world", MPI_Comm_compare(between, MPI_COMM_WORLD, &result),
        note(" %s", result == MPI_UNEQUAL ? "unequal" : "another"));
#define ACROSS(label, ...) do { fill(); SEE(label " across", __VA_ARGS__, note_numbers(out, 3)); } while (0)
    ACROSS("barrier", MPI_Barrier(between));
    ACROSS("bcast", MPI_Bcast(here == 0 ? in : out, 2, MPI_INT, root, between));
    ACROSS("gather", MPI_Gather(in, 1, MPI_INT, out, 1, MPI_INT, root, between));
    ACROSS("scatter", MPI_Scatter(in, 2, MPI_INT, out, 2, MPI_INT, root, between));
    ACROSS("reduce", MPI_Reduce(in, out, 2, MPI_INT, MPI_SUM, root, between));
    ACROSS("allreduce", MPI_Allreduce(in, out, 2, MPI_INT, MPI_SUM, between));
    ACROSS("allgather", MPI_Allgather(in, 2, MPI_INT, out, 2, MPI_INT, between));
    ACROSS("alltoall", MPI_Alltoall(in, 2, MPI_INT, out, 2, MPI_INT, between));
    ACROSS("reduce_scatter_block", MPI_Reduce_scatter_block(in, out, 2, MPI_INT, MPI_SUM, between));
    MPI_Comm_set_errhandler(between, MPI_ERRORS_RETURN);
    ACROSS("bcast from a bad root", MPI_Bcast(in, 1, MPI_INT, 7, between));
    ACROSS("scan", MPI_Scan(in, out, 1, MPI_INT, MPI_SUM, between));
    ACROSS("allreduce in place", MPI_Allreduce(MPI_IN_PLACE, out, 1, MPI_INT, MPI_SUM, between));
    ACROSS("cart_create", MPI_Cart_create(between, 1, &(int){ 1 }, &(int){ 0 }, 0, &merged));
    SEE("intercomm_merge", MPI_Intercomm_merge(between, here == 0, &merged), MPI_Comm_rank(merged, &size); note(" rank %d", size));
    SEE("comm_free of it", MPI_Comm_free(&merged));
    SEE("comm_dup of it", MPI_Comm_dup(between, &merged), MPI_Comm_test_inter(merged, &flag); note(" %d", flag));
    SEE("comm_compare with its duplicate", MPI_Comm_compare(between, merged, &result),
        note(" %s", result == MPI_CONGRUENT ? "congruent" : "another"));
    MPI_Comm_free(&merged);
    MPI_Comm_free(&between);
    SEE("intercomm_create of one group twice", MPI_Intercomm_create(duplicate, 5, MPI_COMM_WORLD, 0, 5, &between));
    if (!host_is("mpich"))
        SEE("intercomm_merge of an intracommunicator", MPI_Intercomm_merge(duplicate, 0, &between));
}

static void communicators(void)
{
    MPI_Comm made = MPI_COMM_NULL;
    MPI_Request request;
    MPI_Group world, one;
    int rank = 77, size = 77, first = 0;
    SEE("comm_split by keys", MPI_Comm_split(duplicate, 3, -here, &made), MPI_Comm_rank(made, &rank); note(" %d", rank));
    MPI_Comm_free(&made);
    SEE("comm_split of the second", MPI_Comm_split(duplicate, here == 0 ? MPI_UNDEFINED : 1, 0, &made),
        note(" %s", made == MPI_COMM_NULL ? "null" : "made"));
    if (made != MPI_COMM_NULL)
        MPI_Comm_free(&made);
    SEE("comm_split_type", MPI_Comm_split_type(duplicate, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &made),
        MPI_Comm_size(made, &size); note(" %d", size));
    MPI_Comm_free(&made);
    SEE("comm_split_type of undefined", MPI_Comm_split_type(duplicate, MPI_UNDEFINED, 0, MPI_INFO_NULL, &made),
        note(" %s", made == MPI_COMM_NULL ? "null" : "made"));
    SEE("comm_idup", MPI_Comm_idup(duplicate, &made, &request),
        MPI_Wait(&request, MPI_STATUS_IGNORE); MPI_Comm_size(made, &size); note(" %d", size));
    SEE("error of an idup", MPI_Bcast(in, 1, MPI_INT, 9, made));
    MPI_Comm_free(&made);
    MPI_Comm_group(duplicate, &world);
    MPI_Group_incl(world, 1, &first, &one);
    SEE("comm_create of the first", MPI_Comm_create(duplicate, one, &made), note(" %s", made == MPI_COMM_NULL ? "null" : "made"));
    if (made != MPI_COMM_NULL)
        MPI_Comm_free(&made);
    if (here == 0)
        SEE("comm_create_group of the first", MPI_Comm_create_group(duplicate, one, 3, &made),
            MPI_Comm_size(made, &size); note(" %d", size));
    if (made != MPI_COMM_NULL)
        MPI_Comm_free(&made);
    SEE("comm_disconnect of the null communicator", MPI_Comm_disconnect(&made));
    SEE("comm_create of the null group", MPI_Comm_create(duplicate, MPI_GROUP_NULL, &made));
    SEE("comm_split_type of no type", MPI_Comm_split_type(duplicate, 12345, 0, MPI_INFO_NULL, &made));
    MPI_Group_free(&one);
    MPI_Group_free(&world);
    MPI_Barrier(MPI_COMM_WORLD);
}

static void neighbors(void)
{
    int dims[1] = { 2 }, periods[1] = { 1 }, other = 1 - here, counts[2] = { 1, 1 }, places[2] = { 0, 1 }, weights[1] = { 5 + here },
        got[1], to[1], got_weights[1] = { 77 }, to_weights[1] = { 77 };
    MPI_Aint bytes[2] = { 0, 4 };
    MPI_Datatype types[2] = { MPI_INT, MPI_INT };
    int at = 77, degree = 77, weighted = 77;
    MPI_Comm dist, cart;
    SEE("cart_create", MPI_Cart_create(duplicate, 1, dims, periods, 0, &cart));
    SEE("cart_shift", MPI_Cart_shift(cart, 0, 1, &at, &degree), note(" %d %d", at, degree));
    SEE("cart_rank around", MPI_Cart_rank(cart, &(int){ 3 }, &at), note(" %d", at));
    SEE("cart_coords of a bad rank", MPI_Cart_coords(cart, 5, 1, &at));
    SEE("cart_rank of a grid that ends", (__extension__({
        MPI_Comm line;
        periods[0] = 0;
        MPI_Cart_create(duplicate, 1, dims, periods, 0, &line);
        int code = MPI_Cart_rank(line, &(int){ 3 }, &at);
        MPI_Comm_free(&line);
        code;
    })));
    SEE("dist_graph_create_adjacent",
        MPI_Dist_graph_create_adjacent(duplicate, 1, &other, weights, 1, &other, weights, MPI_INFO_NULL, 0, &dist));
    SEE("dist_graph_neighbors", MPI_Dist_graph_neighbors(dist, 1, got, got_weights, 1, to, to_weights),
        note(" %d %d %d %d", got[0], got_weights[0], to[0], to_weights[0]));
    SEE("dist_graph_neighbors_count", MPI_Dist_graph_neighbors_count(dist, &at, &degree, &weighted),
        note(" %d %d %d", at, degree, weighted));
    used = dist;
    ALL_WAYS(neighbor_allgather, Neighbor_allgather, in, 2, MPI_INT, out, 2, MPI_INT);
    ALL_WAYS(neighbor_allgatherv, Neighbor_allgatherv, in, 1, MPI_INT, out, counts, places, MPI_INT);
    ALL_WAYS(neighbor_alltoall, Neighbor_alltoall, in, 2, MPI_INT, out, 2, MPI_INT);
    ALL_WAYS(neighbor_alltoallv, Neighbor_alltoallv, in, counts, places, MPI_INT, out, counts, places, MPI_INT);
    ALL_WAYS(neighbor_alltoallw, Neighbor_alltoallw, in, counts, bytes, types, out, counts, bytes, types);
    fill();
    SEE("neighbor_allgather of a grid", MPI_Neighbor_allgather(in, 1, MPI_INT, out, 1, MPI_INT, cart), note_numbers(out, 2));
    SEE("error of a grid", MPI_Neighbor_allgather(in, -1, MPI_INT, out, 1, MPI_INT, cart));
    MPI_Comm_free(&cart);
    MPI_Comm_free(&dist);
    SEE("dist_graph_create_adjacent of a bad rank",
        MPI_Dist_graph_create_adjacent(duplicate, 1, &(int){ 9 }, MPI_UNWEIGHTED, 1, &other, MPI_UNWEIGHTED,
            MPI_INFO_NULL, 0, &dist));
    SEE("cart_create of a negative dimension", MPI_Cart_create(duplicate, 1, &(int){ -2 }, periods, 0, &cart));
    SEE("dims_create that does not divide", MPI_Dims_create(7, 2, (int[]){ 2, 0 }));
    SEE("topo_test of the null communicator", MPI_Topo_test(MPI_COMM_NULL, &at));
    SEE("graphdims_get without a graph", MPI_Graphdims_get(duplicate, &at, &degree));
    SEE("dist_graph_neighbors_count without one", MPI_Dist_graph_neighbors_count(duplicate, &at, &degree, &weighted));
    MPI_Comm graph;
    int index[2] = { 1, 2 }, edges[2] = { 1, 0 };
    SEE("graph_create", MPI_Graph_create(duplicate, 2, index, edges, 0, &graph));
    SEE("graph_neighbors", MPI_Graph_neighbors(graph, here, 1, got), note(" %d", got[0]));
    SEE("graph_neighbors_count of a bad rank", MPI_Graph_neighbors_count(graph, 7, &at));
    SEE("graph_get", MPI_Graph_get(graph, 2, 2, index, edges), note(" %d %d %d %d", index[0], index[1], edges[0], edges[1]));
    MPI_Comm_free(&graph);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &duplicate);
    observe_ranks();
    set_all(on_comm);
    used = duplicate;
    in_one_communicator();
    in_place();
    operations();
    arguments();
    across();
    communicators();
    neighbors();
    MPI_Comm_free(&duplicate);
    MPI_Finalize();
    return 0;
}
