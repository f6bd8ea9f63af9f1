/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks: 1 2 */
/* Sessions, beside the world model: process sets, groups, communicators made
 * from groups, error handlers. */
#include "check.h"
#include "counted_attributes.h"

static int calls, error_class;
static MPI_Session want;

static void on_session(MPI_Session *session, int *code, ...)
{
    calls += *session == want;
    MPI_Error_class(*code, &error_class);
}

static void process_sets(MPI_Session session)
{
    char name[MPI_MAX_PSET_NAME_LEN + 8];
    int count = -1, worlds = 0;
    OK(MPI_Session_get_num_psets(session, MPI_INFO_NULL, &count));
    CHECK(count >= 2);
    for (int i = 0; i < count; i++) {
        int length = 0, full = sizeof name;
        OK(MPI_Session_get_nth_pset(session, MPI_INFO_NULL, i, &length, NULL));
        CHECK(length > 0 && length <= MPI_MAX_PSET_NAME_LEN);
        OK(MPI_Session_get_nth_pset(session, MPI_INFO_NULL, i, &full, name));
        worlds += strcmp(name, "mpi://WORLD") == 0;
        MPI_Info info;
        char value[50];
        int flag = 0, size = sizeof value;
        OK(MPI_Session_get_pset_info(session, name, &info));
        OK(MPI_Info_get_string(info, "mpi_size", &size, value, &flag));
        CHECK(flag && atoi(value) >= 1);
        OK(MPI_Info_free(&info));
    }
    CHECK_INT(worlds, 1);
}

static void communicator(MPI_Session session)
{
    int size = -1, rank = -1, sum = -1, one = 1;
    MPI_Group group;
    MPI_Comm comm = MPI_COMM_NULL;
    OK(MPI_Group_from_session_pset(session, "mpi://WORLD", &group));
    OK(MPI_Group_size(group, &size));
    CHECK_INT(size, check_size);
    OK(MPI_Comm_create_from_group(group, "tests.sessions", MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm));
    OK(MPI_Group_free(&group));
    OK(MPI_Comm_rank(comm, &rank));
    CHECK_INT(rank, check_rank);
    OK(MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm));
    CHECK_INT(sum, check_size);
    MPI_Errhandler got;
    OK(MPI_Comm_get_errhandler(comm, &got));
    CHECK(got == MPI_ERRORS_RETURN);
    OK(MPI_Comm_free(&comm));
}

static void handlers(MPI_Session session)
{
    MPI_Errhandler mine, got;
    MPI_Group group;
    OK(MPI_Session_create_errhandler(on_session, &mine));
    OK(MPI_Session_set_errhandler(session, mine));
    OK(MPI_Session_get_errhandler(session, &got));
    CHECK(got == mine);
    want = session;
    OK(MPI_Session_call_errhandler(session, MPI_ERR_ARG));
    CHECK_INT(calls, 1);
    CHECK_INT(error_class, MPI_ERR_ARG);
    if (!known_fault("session-errors-abort")) {
        calls = 0;
        CHECK(MPI_Session_get_info(session, NULL) != MPI_SUCCESS);
        CHECK(MPI_Session_get_num_psets(session, MPI_INFO_NULL, NULL) != MPI_SUCCESS);
        CHECK(MPI_Session_get_nth_pset(session, MPI_INFO_NULL, 0, NULL, NULL) != MPI_SUCCESS);
        CHECK(MPI_Group_from_session_pset(session, "no such set of ours", &group) != MPI_SUCCESS);
        CHECK_INT(calls, 4);
    }
    OK(MPI_Errhandler_free(&got));
    OK(MPI_Errhandler_free(&mine));
    OK(MPI_Session_set_errhandler(session, MPI_ERRORS_RETURN));
    if (!known_fault("set-behind-the-last")) {
        int count = 0, length = 0, class = 0;
        OK(MPI_Session_get_num_psets(session, MPI_INFO_NULL, &count));
        OK(MPI_Error_class(MPI_Session_get_nth_pset(session, MPI_INFO_NULL, count, &length, NULL), &class));
        CHECK_INT(class, MPI_ERR_ARG);
    }
}

/* Attributes of communicators from which an MPI may make some of its own: no function is called for these. One attribute has a
 * function of ours, the other one would be copied without it. */
static void attributes(void)
{
    int keyvals[2], one = 1, sum = 0, found, *value;
    MPI_Comm parents[2] = { MPI_COMM_WORLD, MPI_COMM_SELF }, comm;
    MPI_Errhandler handler;
    MPI_Group group;
    MPI_Request request;
    MPI_Session session;
    OK(MPI_Comm_create_keyval(copy_comm, delete_comm, &keyvals[0], NULL));
    OK(MPI_Comm_create_keyval(MPI_COMM_DUP_FN, delete_comm, &keyvals[1], NULL));
    for (int i = 0; i < 4; i++)
        OK(MPI_Comm_set_attr(parents[i / 2], keyvals[i % 2], &one));
    OK(MPI_Session_create_errhandler(on_session, &handler));
    OK(MPI_Session_init(MPI_INFO_NULL, handler, &session));
    OK(MPI_Errhandler_free(&handler));
    OK(MPI_Group_from_session_pset(session, "mpi://WORLD", &group));
    OK(MPI_Comm_create_from_group(group, "tests.sessions.attributes", MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm));
    for (int i = 0; i < 2; i++) {
        OK(MPI_Comm_get_attr(comm, keyvals[i], &value, &found));
        CHECK_INT(found, 0);
    }
    OK(MPI_Comm_free(&comm));
    OK(MPI_Group_free(&group));
    OK(MPI_Session_finalize(&session));
    OK(MPI_Allreduce_init(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &request));
    OK(MPI_Request_free(&request));
    CHECK_INT(copies, 0);
    CHECK_INT(deletes, 0);
    for (int i = 0; i < 4; i++)
        OK(MPI_Comm_delete_attr(parents[i / 2], keyvals[i % 2]));
    CHECK_INT(deletes, 4);
    for (int i = 0; i < 2; i++)
        OK(MPI_Comm_free_keyval(&keyvals[i]));
}

int main(int argc, char **argv)
{
    MPI_Session session = MPI_SESSION_NULL, second;
    MPI_Info info;
    check_begin(&argc, &argv);
    OK(MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session));
    CHECK(session != MPI_SESSION_NULL);
    CHECK(MPI_Session_f2c(MPI_Session_c2f(session)) == session);
    CHECK(MPI_Session_f2c(MPI_Session_c2f(MPI_SESSION_NULL)) == MPI_SESSION_NULL);
    OK(MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &second));
    CHECK(second != session);
    process_sets(session);
    communicator(session);
    handlers(session);
    attributes();
    OK(MPI_Session_get_info(session, &info));
    OK(MPI_Info_free(&info));
    OK(MPI_Session_finalize(&second));
    OK(MPI_Session_finalize(&session));
    CHECK(session == MPI_SESSION_NULL);
    return check_end();
}
