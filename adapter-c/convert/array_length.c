/* SPDX-License-Identifier: BSD-3-Clause */
#include "convert/array_length.h"

#include "convert/types.h"

/* The null handle has no members: what is wrong with it is said by the call itself, once. */
INLINE int is_null(host_comm comm)
{
    return unlikely(HOST_COMM_BITS(comm) == HOST_COMM_BITS(HOST_MPI_COMM_NULL));
}

INLINE int is_inter(host_comm comm)
{
    int inter = 0;
    host.MPI_Comm_test_inter(comm, &inter);
    return inter;
}

INLINE int size_of(host_comm comm)
{
    int size = 0;
    host.MPI_Comm_size(comm, &size);
    return size;
}

int peers(host_comm comm)
{
    int size = 0;
    if (is_null(comm))
        return 0;
    if (!is_inter(comm))
        return size_of(comm);
    host.MPI_Comm_remote_size(comm, &size);
    return size;
}

int members(host_comm comm)
{
    return is_null(comm) ? 0 : size_of(comm);
}

int sent_peers(const void *sendbuf, host_comm comm)
{
    return sendbuf == HOST_MPI_IN_PLACE ? 0 : peers(comm);
}

int root_peers(int root, host_comm comm)
{
    int rank = root;
    if (is_null(comm))
        return 0;
    if (is_inter(comm))
        return root == HOST_MPI_ROOT ? peers(comm) : 0;
    host.MPI_Comm_rank(comm, &rank);
    return root == rank ? size_of(comm) : 0;
}

/* In- and out-degree of the calling process in a communicator's topology. */
static void degrees(host_comm comm, int *in, int *out)
{
    int topology = 0, dimensions = 0, rank = 0, weighted = 0;
    *in = *out = 0;
    if (is_null(comm) || host.MPI_Topo_test(comm, &topology) != 0)
        return;
    if (topology == HOST_MPI_CART) {
        host.MPI_Cartdim_get(comm, &dimensions);
        *in = *out = 2 * dimensions;
    } else if (topology == HOST_MPI_GRAPH) {
        host.MPI_Comm_rank(comm, &rank);
        host.MPI_Graph_neighbors_count(comm, rank, in);
        *out = *in;
    } else if (topology == HOST_MPI_DIST_GRAPH) {
        host.MPI_Dist_graph_neighbors_count(comm, in, out, &weighted);
    }
}

int neighbors_out(host_comm comm)
{
    int in, out;
    degrees(comm, &in, &out);
    return out;
}

int neighbors_in(host_comm comm)
{
    int in, out;
    degrees(comm, &in, &out);
    return in;
}
