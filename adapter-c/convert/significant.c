/* SPDX-License-Identifier: BSD-3-Clause */
#include "convert/significant.h"

#include "layers/layers.h"

/* The call itself says what is wrong with the null handle. */
int is_root(int root, host_comm comm)
{
    int rank, inter;
    if (root == HOST_MPI_ROOT)
        return 1;
    if (root < 0 || HOST_COMM_BITS(comm) == HOST_COMM_BITS(HOST_MPI_COMM_NULL))
        return 0;
    host_code rc = host_itself->MPI_Comm_rank(comm, &rank);
    if (rc != 0)
        return -(int)rc;
    if (rank != root)
        return 0;
    rc = host_itself->MPI_Comm_test_inter(comm, &inter);
    return rc != 0 ? -(int)rc : !inter;
}

int is_group_rank(int rank, host_group group)
{
    int own;
    if (HOST_GROUP_BITS(group) == HOST_GROUP_BITS(HOST_MPI_GROUP_NULL))
        return 0;
    host_code rc = host_itself->MPI_Group_rank(group, &own);
    return rc != 0 ? -(int)rc : own == rank;
}
