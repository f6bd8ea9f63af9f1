/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks: 4 */
/* Partitioned communication in a duplicate of MPI_COMM_WORLD, when each rank has made other communicators before: both sides must
 * still mean the same one. */
#include "check.h"

/* The same by MPI_Comm_create_group(), in which only the members take part; some hosts copy attributes there. */
static void group_of(int members)
{
    int ranks[4], count = 0;
    MPI_Group all, some;
    MPI_Comm made;
    for (int rank = 0; rank < 4; rank++)
        if (members >> rank & 1)
            ranks[count++] = rank;
    OK(MPI_Comm_group(MPI_COMM_WORLD, &all));
    OK(MPI_Group_incl(all, count, ranks, &some));
    OK(MPI_Comm_create_group(MPI_COMM_WORLD, some, members, &made));
    OK(MPI_Comm_free(&made));
    OK(MPI_Group_free(&some));
    OK(MPI_Group_free(&all));
}

/* A copy function that fails at first in one rank, which then duplicates the communicator again. */
static int refusals = 1;

static int refuse_once(MPI_Comm comm, int keyval, void *extra, void *in, void *out, int *flag)
{
    *flag = 0;
    return check_rank == 1 && refusals-- > 0 ? MPI_ERR_OTHER : MPI_SUCCESS;
}

static void fail_in_one_rank(void)
{
    int keyval;
    MPI_Comm made = MPI_COMM_NULL;
    MPI_Request request;
    OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    OK(MPI_Comm_create_keyval(refuse_once, MPI_COMM_NULL_DELETE_FN, &keyval, NULL));
    OK(MPI_Comm_set_attr(MPI_COMM_WORLD, keyval, &refusals));
    if (check_rank == 1)
        CHECK(MPI_Comm_dup(MPI_COMM_WORLD, &made) != MPI_SUCCESS);
    OK(MPI_Comm_dup(MPI_COMM_WORLD, &made));
    OK(MPI_Comm_free(&made));
    refusals = 1;
    if (check_rank == 1)
        CHECK(MPI_Comm_idup(MPI_COMM_WORLD, &made, &request) != MPI_SUCCESS);
    OK(MPI_Comm_idup(MPI_COMM_WORLD, &made, &request));
    OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    OK(MPI_Comm_free(&made));
    OK(MPI_Comm_delete_attr(MPI_COMM_WORLD, keyval));
    OK(MPI_Comm_free_keyval(&keyval));
    OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL));
}

/* A communicator of some of the ranks, in both orders, and its duplicate, which the other ranks do not make. */
static void subset(int members)
{
    if (members >> check_rank & 1)
        group_of(members);
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
    int rank, size, sent, received = -1, before;
    MPI_Request request[2];
    OK(MPI_Comm_rank(comm, &rank));
    OK(MPI_Comm_size(comm, &size));
    sent = 10 + rank;
    before = (rank + size - 1) % size;
    OK(MPI_Psend_init(&sent, 1, 1, MPI_INT, (rank + 1) % size, 0, comm, MPI_INFO_NULL, &request[0]));
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
    MPI_Comm comm, halves, again;
    MPI_Request request;
    check_begin(&argc, &argv);
    for (int members = 1; members < 16; members++)
        subset(members);
    fail_in_one_rank();
    OK(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    ring(comm);
    OK(MPI_Comm_idup(comm, &again, &request));
    OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    ring(again);
    OK(MPI_Comm_split(comm, check_rank % 2, 0, &halves));
    ring(halves);
    OK(MPI_Comm_free(&halves));
    OK(MPI_Comm_free(&again));
    OK(MPI_Comm_free(&comm));
    return check_end();
}
