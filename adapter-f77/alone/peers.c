/* SPDX-License-Identifier: BSD-3-Clause */
/* How long arrays of datatypes are: one for each process that data goes to or comes from. */
#include "fortran.h"

/* A communicator that is none has no peers: the call itself says what is wrong with it. */
static int is_valid(app_comm comm)
{
    return comm != APP_MPI_COMM_NULL;
}

int recv_peers(const void *sendbuf, app_comm comm)
{
    int is_inter = 0, size = 0;
    if (!is_valid(comm) || direct_MPI_Comm_test_inter(comm, &is_inter) != 0)
        return 0;
    int rc = is_inter ? direct_MPI_Comm_remote_size(comm, &size) : direct_MPI_Comm_size(comm, &size);
    return rc == 0 ? size : 0;
}

/* With MPI_IN_PLACE what describes the data to send is not looked at. */
int send_peers(const void *sendbuf, app_comm comm)
{
    return sendbuf == APP_MPI_IN_PLACE ? 0 : recv_peers(sendbuf, comm);
}

static void count_neighbors(app_comm comm, int *in, int *out)
{
    int topology = APP_MPI_UNDEFINED, dimensions = 0, rank = 0, weighted;
    *in = *out = 0;
    if (!is_valid(comm) || direct_MPI_Topo_test(comm, &topology) != 0)
        return;
    switch (topology) {
    case APP_MPI_CART:
        direct_MPI_Cartdim_get(comm, &dimensions);
        *in = *out = 2 * dimensions;
        break;
    case APP_MPI_GRAPH:
        direct_MPI_Comm_rank(comm, &rank);
        direct_MPI_Graph_neighbors_count(comm, rank, in);
        *out = *in;
        break;
    case APP_MPI_DIST_GRAPH:
        direct_MPI_Dist_graph_neighbors_count(comm, in, out, &weighted);
        break;
    }
}

int in_neighbors(const void *sendbuf, app_comm comm)
{
    int in, out;
    count_neighbors(comm, &in, &out);
    return in;
}

int out_neighbors(const void *sendbuf, app_comm comm)
{
    int in, out;
    count_neighbors(comm, &in, &out);
    return out;
}
