/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks: 2 */
/* Sessions before the world model is started, and after one was finalized. */
#include "check.h"

#include <limits.h>

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

/* The contents of a datatype of a large count, and the longest name, survive whatever became of earlier ones. */
static void kept_by_attributes(MPI_Comm comm)
{
    MPI_Count integers = -1, addresses = -1, large_counts = -1, datatypes = -1;
    int combiner = -1, length = -1;
    char name[MPI_MAX_OBJECT_NAME] = "", got[MPI_MAX_OBJECT_NAME] = "";
    MPI_Datatype large;
    OK(MPI_Type_contiguous_c((MPI_Count)INT_MAX + 2, MPI_CHAR, &large));
    OK(MPI_Type_get_envelope_c(large, &integers, &addresses, &large_counts, &datatypes, &combiner));
    CHECK_INT(combiner, MPI_COMBINER_CONTIGUOUS);
    CHECK_INT(large_counts, 1);
    OK(MPI_Type_free(&large));
    memset(name, 'n', sizeof name - 1);
    OK(MPI_Comm_set_name(comm, name));
    OK(MPI_Comm_get_name(comm, got, &length));
    CHECK_STR(got, name);
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
    kept_by_attributes(comm);
    OK(MPI_Comm_free(&comm));
    OK(MPI_Group_free(&group));
    OK(MPI_Group_from_session_pset(session, "mpi://self", &group));
    OK(MPI_Group_size(group, &size));
    CHECK_INT(size, 1);
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
