/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks: 1 2 4 */
/* Topologies, weights and neighbourhood collectives. */
#include "check.h"

static int n, me;

/* A directed ring, with weights that tell both ends. */
static MPI_Comm directed_ring(int adjacent, int weights, int reorder)
{
    int left = (me + n - 1) % n, right = (me + 1) % n, one = 1;
    int in_weight = 10 + left, out_weight = 10 + me;
    MPI_Comm ring = MPI_COMM_NULL;
    if (adjacent)
        OK(MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &left, weights ? &in_weight : MPI_UNWEIGHTED,
                                          1, &right, weights ? &out_weight : MPI_UNWEIGHTED,
                                          MPI_INFO_NULL, reorder, &ring));
    else
        OK(MPI_Dist_graph_create(MPI_COMM_WORLD, 1, &me, &one, &right,
                                 weights ? &out_weight : MPI_UNWEIGHTED, MPI_INFO_NULL, reorder, &ring));
    return ring;
}

static void dist_graph(int adjacent, int weights)
{
    int in = -1, out = -1, weighted = -1, source = -1, target = -1, source_weight = -1, target_weight = -1, kind = -1;
    int left = (me + n - 1) % n, right = (me + 1) % n;
    MPI_Comm ring = directed_ring(adjacent, weights, 0);
    OK(MPI_Topo_test(ring, &kind));
    CHECK_INT(kind, MPI_DIST_GRAPH);
    OK(MPI_Dist_graph_neighbors_count(ring, &in, &out, &weighted));
    CHECK_INT(in, 1);
    CHECK_INT(out, 1);
    CHECK_INT(!!weighted, weights);
    OK(MPI_Dist_graph_neighbors(ring, 1, &source, weights ? &source_weight : MPI_UNWEIGHTED,
                                1, &target, weights ? &target_weight : MPI_UNWEIGHTED));
    CHECK_INT(source, left);
    CHECK_INT(target, right);
    if (weights) {
        CHECK_INT(source_weight, 10 + left);
        CHECK_INT(target_weight, 10 + me);
    }
    OK(MPI_Comm_free(&ring));
}

/* Only rank 0 has edges: the others pass MPI_WEIGHTS_EMPTY. */
static void weights_empty(void)
{
    int weight = 3, zero = 0, in = -1, out = -1, weighted = -1, has = me == 0;
    MPI_Comm graph;
    OK(MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, has, &zero, has ? &weight : MPI_WEIGHTS_EMPTY,
                                      has, &zero, has ? &weight : MPI_WEIGHTS_EMPTY, MPI_INFO_NULL, 0, &graph));
    OK(MPI_Dist_graph_neighbors_count(graph, &in, &out, &weighted));
    CHECK_INT(in, has);
    CHECK_INT(out, has);
    CHECK_INT(!!weighted, 1);
    OK(MPI_Comm_free(&graph));
    OK(MPI_Dist_graph_create(MPI_COMM_WORLD, has, &zero, &has, &zero, has ? &weight : MPI_WEIGHTS_EMPTY,
                             MPI_INFO_NULL, 0, &graph));
    OK(MPI_Dist_graph_neighbors_count(graph, &in, &out, &weighted));
    CHECK_INT(in, has);
    CHECK_INT(!!weighted, 1);
    OK(MPI_Comm_free(&graph));
}

static void collectives_on_the_ring(void)
{
    MPI_Comm ring = directed_ring(1, 0, 0);
    int left = (me + n - 1) % n, out[2] = { me, 50 + me }, in[2] = { -1, -1 }, count = 2, zero = 0;
    MPI_Request request;
    OK(MPI_Neighbor_allgather(out, 2, MPI_INT, in, 2, MPI_INT, ring));
    CHECK_INT(in[1], 50 + left);
    in[1] = -1;
    OK(MPI_Ineighbor_allgather(out, 2, MPI_INT, in, 2, MPI_INT, ring, &request));
    OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    CHECK_INT(in[1], 50 + left);
    in[1] = -1;
    OK(MPI_Neighbor_allgatherv(out, 2, MPI_INT, in, &count, &zero, MPI_INT, ring));
    CHECK_INT(in[1], 50 + left);
    in[1] = -1;
    OK(MPI_Ineighbor_allgatherv(out, 2, MPI_INT, in, &count, &zero, MPI_INT, ring, &request));
    OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    CHECK_INT(in[1], 50 + left);
    in[1] = -1;
    OK(MPI_Neighbor_alltoall(out, 2, MPI_INT, in, 2, MPI_INT, ring));
    CHECK_INT(in[1], 50 + left);
    in[1] = -1;
    OK(MPI_Ineighbor_alltoall(out, 2, MPI_INT, in, 2, MPI_INT, ring, &request));
    OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    CHECK_INT(in[1], 50 + left);
    in[1] = -1;
    OK(MPI_Neighbor_alltoallv(out, &count, &zero, MPI_INT, in, &count, &zero, MPI_INT, ring));
    CHECK_INT(in[1], 50 + left);
    in[1] = -1;
    OK(MPI_Ineighbor_alltoallv(out, &count, &zero, MPI_INT, in, &count, &zero, MPI_INT, ring, &request));
    OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    CHECK_INT(in[1], 50 + left);
    OK(MPI_Comm_free(&ring));
}

/* The ends of a line have MPI_PROC_NULL as neighbour. */
static void line(void)
{
    int period = 0, got[1], size[1], periods[1], coords[1], below, above, rank, kind, dimensions, in[2] = { -1, -1 };
    MPI_Comm cart;
    OK(MPI_Cart_create(MPI_COMM_WORLD, 1, &n, &period, 0, &cart));
    OK(MPI_Topo_test(cart, &kind));
    CHECK_INT(kind, MPI_CART);
    OK(MPI_Cartdim_get(cart, &dimensions));
    CHECK_INT(dimensions, 1);
    OK(MPI_Cart_get(cart, 1, size, periods, got));
    CHECK_INT(size[0], n);
    CHECK_INT(periods[0], 0);
    CHECK_INT(got[0], me);
    OK(MPI_Cart_coords(cart, me, 1, coords));
    CHECK_INT(coords[0], me);
    OK(MPI_Cart_rank(cart, coords, &rank));
    CHECK_INT(rank, me);
    OK(MPI_Cart_shift(cart, 0, 1, &below, &above));
    CHECK_INT(below, me > 0 ? me - 1 : MPI_PROC_NULL);
    CHECK_INT(above, me + 1 < n ? me + 1 : MPI_PROC_NULL);
    OK(MPI_Neighbor_allgather(&me, 1, MPI_INT, in, 1, MPI_INT, cart));
    CHECK_INT(in[0], me > 0 ? me - 1 : -1);
    CHECK_INT(in[1], me + 1 < n ? me + 1 : -1);
    OK(MPI_Comm_free(&cart));
}

static void grid(void)
{
    int dims[2] = { 0, 0 }, periods[2] = { 1, 0 }, coords[2], keep[2] = { 0, 1 }, rank = -7, size;
    MPI_Comm cart, row;
    OK(MPI_Dims_create(n, 2, dims));
    CHECK_INT(dims[0] * dims[1], n);
    OK(MPI_Cart_map(MPI_COMM_WORLD, 2, dims, periods, &rank));
    CHECK(rank == MPI_UNDEFINED || (rank >= 0 && rank < n));
    OK(MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 1, &cart));
    OK(MPI_Comm_rank(cart, &rank));
    OK(MPI_Cart_coords(cart, rank, 2, coords));
    OK(MPI_Cart_sub(cart, keep, &row));
    OK(MPI_Comm_size(row, &size));
    CHECK_INT(size, dims[1]);
    OK(MPI_Comm_free(&row));
    OK(MPI_Comm_free(&cart));
    /* A grid of one process: all others get the null handle. */
    dims[0] = dims[1] = 1;
    OK(MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &cart));
    CHECK((cart == MPI_COMM_NULL) == (me != 0));
    OK(MPI_Cart_map(MPI_COMM_WORLD, 2, dims, periods, &rank));
    if (!known_fault("cart-map-outside"))
        CHECK_INT(rank, me == 0 ? 0 : MPI_UNDEFINED);
    if (cart != MPI_COMM_NULL)
        OK(MPI_Comm_free(&cart));
}

/* A graph in which rank 0 is joined to every other. */
static void star(void)
{
    int index[16], edges[32], count = 0, nodes, total, got_index[16], got_edges[32], kind, many, near[16], rank;
    MPI_Comm graph;
    for (int r = 1; r < n; r++)
        edges[count++] = r;
    index[0] = count;
    for (int r = 1; r < n; r++)
        edges[count++] = 0, index[r] = count;
    OK(MPI_Graph_create(MPI_COMM_WORLD, n, index, edges, 0, &graph));
    OK(MPI_Topo_test(graph, &kind));
    CHECK_INT(kind, MPI_GRAPH);
    OK(MPI_Graphdims_get(graph, &nodes, &total));
    CHECK_INT(nodes, n);
    CHECK_INT(total, count);
    OK(MPI_Graph_get(graph, 16, 32, got_index, got_edges));
    CHECK(memcmp(index, got_index, n * sizeof(int)) == 0);
    CHECK(memcmp(edges, got_edges, count * sizeof(int)) == 0);
    OK(MPI_Graph_neighbors_count(graph, me, &many));
    CHECK_INT(many, me == 0 ? n - 1 : 1);
    OK(MPI_Graph_neighbors(graph, me, many, near));
    CHECK(n == 1 || near[0] == (me == 0));
    OK(MPI_Neighbor_allgather(&me, 1, MPI_INT, got_edges, 1, MPI_INT, graph));
    for (int i = 0; i < many; i++)
        CHECK_INT(got_edges[i], near[i]);
    OK(MPI_Comm_free(&graph));
    OK(MPI_Graph_map(MPI_COMM_WORLD, n, index, edges, &rank));
    CHECK(rank == MPI_UNDEFINED || (rank >= 0 && rank < n));
    OK(MPI_Topo_test(MPI_COMM_WORLD, &kind));
    CHECK_INT(kind, MPI_UNDEFINED);
}

int main(int argc, char **argv)
{
    check_begin(&argc, &argv);
    n = check_size, me = check_rank;
    for (int adjacent = 0; adjacent < 2; adjacent++)
        for (int weights = 0; weights < 2; weights++)
            dist_graph(adjacent, weights);
    weights_empty();
    collectives_on_the_ring();
    line();
    grid();
    star();
    return check_end();
}
