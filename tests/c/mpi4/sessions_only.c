/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks: 2 */
/* Sessions before the world model is started, and after one was finalized. */
#include "check.h"

/* A new attribute is on no communicator yet, whatever there was before MPI ended and began again. */
static void attribute(MPI_Comm comm)
{
    int keyval = MPI_KEYVAL_INVALID, flag = -1;
    void *value;
    OK(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &keyval, NULL));
    OK(MPI_Comm_get_attr(comm, keyval, &value, &flag));
    CHECK_INT(flag, 0);
    OK(MPI_Comm_free_keyval(&keyval));
}

static void communicator(MPI_Session session)
{
    int size = -1, sum = -1, one = 1;
    MPI_Group group;
    MPI_Comm comm = MPI_COMM_NULL;
    OK(MPI_Group_from_session_pset(session, "mpi://WORLD", &group));
    OK(MPI_Comm_create_from_group(group, "tests.sessions-only", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm));
    OK(MPI_Comm_rank(comm, &check_rank));
    OK(MPI_Comm_size(comm, &size));
    CHECK_INT(size, 2);
    OK(MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm));
    CHECK_INT(sum, 2);
    attribute(comm);
    OK(MPI_Comm_free(&comm));
    OK(MPI_Group_free(&group));
    OK(MPI_Group_from_session_pset(session, "mpi://SELF", &group));
    OK(MPI_Group_size(group, &size));
    CHECK_INT(size, 1);
    OK(MPI_Group_free(&group));
}

static void intercommunicator(MPI_Session session)
{
    int other = 1 - check_rank, size = -1, got = -1;
    MPI_Group world, mine, theirs;
    MPI_Comm inter = MPI_COMM_NULL;
    OK(MPI_Group_from_session_pset(session, "mpi://WORLD", &world));
    OK(MPI_Group_incl(world, 1, &check_rank, &mine));
    OK(MPI_Group_incl(world, 1, &other, &theirs));
    OK(MPI_Intercomm_create_from_groups(mine, 0, theirs, 0, "tests.inter", MPI_INFO_NULL, MPI_ERRORS_RETURN, &inter));
    OK(MPI_Comm_remote_size(inter, &size));
    CHECK_INT(size, 1);
    OK(MPI_Sendrecv(&check_rank, 1, MPI_INT, 0, 1, &got, 1, MPI_INT, 0, 1, inter, MPI_STATUS_IGNORE));
    CHECK_INT(got, other);
    OK(MPI_Comm_free(&inter));
    OK(MPI_Group_free(&mine));
    OK(MPI_Group_free(&theirs));
    OK(MPI_Group_free(&world));
}

int main(int argc, char **argv)
{
    MPI_Session session = MPI_SESSION_NULL;
    int flag = -1;
    OK(MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session));
    communicator(session);
    intercommunicator(session);
    OK(MPI_Initialized(&flag));
    CHECK_INT(flag, 0);
    if (!known_fault("session-after-the-last")) {
        OK(MPI_Session_finalize(&session));
        CHECK(session == MPI_SESSION_NULL);
        OK(MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session));
        communicator(session);
    }
    check_begin(&argc, &argv);
    OK(MPI_Initialized(&flag));
    CHECK_INT(flag, 1);
    OK(MPI_Finalized(&flag));
    CHECK_INT(flag, 0);
    CHECK_INT(check_size, 2);
    OK(MPI_Session_finalize(&session));
    return check_end();
}
