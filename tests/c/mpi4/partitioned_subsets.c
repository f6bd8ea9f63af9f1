/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks: 4 */
/* Partitioned communication in a duplicate of MPI_COMM_WORLD, when each rank has made other communicators before: both sides must
 * still mean the same one. */
#include "check.h"

/* A communicator of some of the ranks, in both orders, and its duplicate, which the other ranks do not make. */
static void subset(int members)
{
    for (int order = -1; order <= 1; order += 2) {
        int is_member = members >> check_rank & 1;
        MPI_Comm made, duplicate;
        OK(MPI_Comm_split(MPI_COMM_WORLD, is_member ? 0 : MPI_UNDEFINED, order * check_rank, &made));
        if (!is_member)
            continue;
        OK(MPI_Comm_dup(made, &duplicate));
        OK(MPI_Comm_free(&duplicate));
        OK(MPI_Comm_free(&made));
    }
}

static void ring(MPI_Comm comm)
{
    int sent = 10 + check_rank, received = -1, before = (check_rank + check_size - 1) % check_size;
    MPI_Request request[2];
    OK(MPI_Psend_init(&sent, 1, 1, MPI_INT, (check_rank + 1) % check_size, 0, comm, MPI_INFO_NULL, &request[0]));
    OK(MPI_Precv_init(&received, 1, 1, MPI_INT, before, 0, comm, MPI_INFO_NULL, &request[1]));
    OK(MPI_Startall(2, request));
    OK(MPI_Pready(0, request[0]));
    OK(MPI_Waitall(2, request, MPI_STATUSES_IGNORE));
    CHECK_INT(received, 10 + before);
    OK(MPI_Request_free(&request[0]));
    OK(MPI_Request_free(&request[1]));
}

int main(int argc, char **argv)
{
    MPI_Comm comm;
    check_begin(&argc, &argv);
    for (int members = 1; members < 16; members++)
        subset(members);
    OK(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    ring(comm);
    OK(MPI_Comm_free(&comm));
    return check_end();
}
