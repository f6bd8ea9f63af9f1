/* SPDX-License-Identifier: BSD-3-Clause */
#include "sessions/new_comm.h"

#include "layers/lock.h"
#include "layers/layers.h"
#include "convert/host_side.h"

#define COMM_MAKERS(each) \
    each(MPI_Comm_split) each(MPI_Comm_split_type) each(MPI_Comm_create) each(MPI_Comm_create_group) \
    each(MPI_Cart_create) each(MPI_Cart_sub) each(MPI_Graph_create) each(MPI_Dist_graph_create) \
    each(MPI_Dist_graph_create_adjacent) each(MPI_Intercomm_merge) each(MPI_Intercomm_create) each(MPIX_Comm_shrink)
LAYER_PART(comm_makers, COMM_MAKERS);
static new_comm *told_of_them[NEW_COMM_TOLD];
LOCK(comm_observers);

/* Tells of a new communicator if there is one. Returns the host's code. */
static host_code tell_made(host_code rc, const host_comm *made, host_comm from, int tag)
{
    if (rc != 0 || HOST_COMM_BITS(*made) == HOST_COMM_BITS(HOST_MPI_COMM_NULL))
        return rc;
    for (int i = 0; i < NEW_COMM_TOLD; i++) {
        new_comm *told = __atomic_load_n(&told_of_them[i], __ATOMIC_ACQUIRE);
        if (told)
            told(*made, from, tag);
    }
    return rc;
}

static int told_MPI_Comm_split(host_comm comm, int color, int key, host_comm *newcomm)
{
    return tell_made(NEXT(comm_makers, MPI_Comm_split)(comm, color, key, newcomm), newcomm, comm, 0);
}

static int told_MPI_Comm_split_type(host_comm comm, int split_type, int key, host_info info, host_comm *newcomm)
{
    return tell_made(NEXT(comm_makers, MPI_Comm_split_type)(comm, split_type, key, info, newcomm), newcomm, comm, 0);
}

static int told_MPI_Comm_create(host_comm comm, host_group group, host_comm *newcomm)
{
    return tell_made(NEXT(comm_makers, MPI_Comm_create)(comm, group, newcomm), newcomm, comm, 0);
}

static int told_MPI_Comm_create_group(host_comm comm, host_group group, int tag, host_comm *newcomm)
{
    return tell_made(NEXT(comm_makers, MPI_Comm_create_group)(comm, group, tag, newcomm), newcomm, comm, tag);
}

static int told_MPI_Cart_create(host_comm comm, int ndims, const int *dims, const int *periods, int reorder, host_comm *newcomm)
{
    return tell_made(NEXT(comm_makers, MPI_Cart_create)(comm, ndims, dims, periods, reorder, newcomm), newcomm, comm, 0);
}

static int told_MPI_Cart_sub(host_comm comm, const int *remain_dims, host_comm *newcomm)
{
    return tell_made(NEXT(comm_makers, MPI_Cart_sub)(comm, remain_dims, newcomm), newcomm, comm, 0);
}

static int told_MPI_Graph_create(host_comm comm, int nnodes, const int *index, const int *edges, int reorder, host_comm *newcomm)
{
    return tell_made(NEXT(comm_makers, MPI_Graph_create)(comm, nnodes, index, edges, reorder, newcomm), newcomm, comm, 0);
}

static int told_MPI_Dist_graph_create(host_comm comm, int n, const int *sources, const int *degrees, const int *destinations,
                                      const int *weights, host_info info, int reorder, host_comm *newcomm)
{
    host_code rc = NEXT(comm_makers, MPI_Dist_graph_create)(comm, n, sources, degrees, destinations, weights, info, reorder,
                                                            newcomm);
    return tell_made(rc, newcomm, comm, 0);
}

static int told_MPI_Dist_graph_create_adjacent(host_comm comm, int indegree, const int *sources, const int *sourceweights,
                                               int outdegree, const int *destinations, const int *destweights, host_info info,
                                               int reorder, host_comm *newcomm)
{
    host_code rc = NEXT(comm_makers, MPI_Dist_graph_create_adjacent)(comm, indegree, sources, sourceweights, outdegree,
                                                                     destinations, destweights, info, reorder, newcomm);
    return tell_made(rc, newcomm, comm, 0);
}

static int told_MPI_Intercomm_merge(host_comm intercomm, int high, host_comm *newcomm)
{
    return tell_made(NEXT(comm_makers, MPI_Intercomm_merge)(intercomm, high, newcomm), newcomm, intercomm, 0);
}

static int told_MPI_Intercomm_create(host_comm local_comm, int local_leader, host_comm peer_comm, int remote_leader, int tag,
                                     host_comm *newcomm)
{
    host_code rc = NEXT(comm_makers, MPI_Intercomm_create)(local_comm, local_leader, peer_comm, remote_leader, tag, newcomm);
    return tell_made(rc, newcomm, local_comm, tag);
}

static int told_MPIX_Comm_shrink(host_comm comm, host_comm *newcomm)
{
    return tell_made(NEXT(comm_makers, MPIX_Comm_shrink)(comm, newcomm), newcomm, comm, 0);
}

static void install(void)
{
#define TOLD(name) OVERRIDE(comm_makers, name, told_##name),
    LAYER_INSTALL(LAYER_NEW_COMM, comm_makers, COMM_MAKERS(TOLD));
}

void tell_of_new_comms(new_comm *told)
{
    int i = 0;
    take_lock(comm_observers);
    while (told_of_them[i])
        i++;
    if (i == 0)
        install();
    __atomic_store_n(&told_of_them[i], told, __ATOMIC_RELEASE);
    release_lock(comm_observers);
}
