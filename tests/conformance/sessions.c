/* SPDX-License-Identifier: BSD-3-Clause */
/* Sessions: process sets, what is made of them, their errors, and a world beside them. What needs no session is in before.c. */
#include "handlers.h"

static MPI_Session session;
static int numbers[4] = { 1, 2, 3, 4 };

static void on_session(MPI_Session *of, int *code, ...)
{
    note(" session %s: %s", *of == MPI_SESSION_NULL ? "NULL" : *of == session ? "session" : "another", class_of(*code));
}

static void states(const char *when)
{
    char label[100];
    int flag = 77;
    snprintf(label, sizeof label, "initialized %s", when);
    SEE(label, MPI_Initialized(&flag), note(" %d", flag));
    snprintf(label, sizeof label, "finalized %s", when);
    SEE(label, MPI_Finalized(&flag), note(" %d", flag));
}

static void begin(void)
{
    MPI_Info info;
    MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
    MPI_Info_create(&info);
    MPI_Info_set(info, "thread_level", "MPI_THREAD_SINGLE");
    SEE("session_init", MPI_Session_init(info, MPI_ERRORS_RETURN, &session), note(" %s", session == MPI_SESSION_NULL ? "null" : "made"));
    MPI_Info_free(&info);
    SEE("session_create_errhandler", MPI_Session_create_errhandler(on_session, &handler));
    SEE("session_set_errhandler", MPI_Session_set_errhandler(session, handler));
    MPI_Errhandler_free(&handler);
}

static void process_sets(void)
{
    MPI_Info info;
    MPI_Group group = MPI_GROUP_NULL;
    int count = 77, length = 0, size = 77, flag = 77, self = 0;
    char name[MPI_MAX_PSET_NAME_LEN] = "", value[20];
    SEE("session_get_num_psets", MPI_Session_get_num_psets(session, MPI_INFO_NULL, &count),
        note(" %s", count >= 2 ? "two or more" : "fewer"));
    for (int i = 0; i < count; i++) {
        length = sizeof name;
        MPI_Session_get_nth_pset(session, MPI_INFO_NULL, i, &length, name);
        self += strcmp(name, "mpi://SELF") == 0 || strcmp(name, "mpi://WORLD") == 0;
    }
    printf("session_get_nth_pset\t%d\n", self);
    SEE("session_get_pset_info", MPI_Session_get_pset_info(session, "mpi://WORLD", &info), length = sizeof value;
        MPI_Info_get_string(info, "mpi_size", &length, value, &flag); note(" %s %d", value, flag));
    MPI_Info_free(&info);
    SEE("session_get_info", MPI_Session_get_info(session, &info), note(" %s", info == MPI_INFO_NULL ? "null" : "made"));
    MPI_Info_free(&info);
    SEE("group_from_session_pset", MPI_Group_from_session_pset(session, "mpi://WORLD", &group),
        MPI_Group_size(group, &size); note(" %d", size));
    if (left_out("communicators of groups")) {
        MPI_Group_free(&group);
        return;
    }
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Errhandler handler, got;
    MPI_Comm_create_errhandler(on_comm, &handler);
    SEE("comm_create_from_group", MPI_Comm_create_from_group(group, "tests", MPI_INFO_NULL, handler, &comm),
        MPI_Comm_size(comm, &size); note(" %d", size));
    duplicate = comm;
    SEE("comm_get_errhandler of that", MPI_Comm_get_errhandler(comm, &got), note(" %s", got == handler ? "the same" : "another"));
    SEE("error of that", MPI_Bcast(numbers, 1, MPI_INT, 9, comm));
    MPI_Errhandler_free(&got);
    MPI_Errhandler_free(&handler);
    SEE("comm_get_name of that", MPI_Comm_get_name(comm, name, &length), note(" '%s'", name));
    SEE("allreduce in that", MPI_Allreduce(MPI_IN_PLACE, numbers, 2, MPI_INT, MPI_SUM, comm), note_numbers(numbers, 2));
    int *bound, one = 0;
    SEE("MPI_TAG_UB of that", MPI_Comm_get_attr(comm, MPI_TAG_UB, &bound, &one),
        note(" flag %d %s", one, one && *bound >= 32767 ? "large enough" : "less"));
    MPI_Comm_free(&comm);
    MPI_Group_free(&group);
}

static void errors(void)
{
    MPI_Group group;
    MPI_Info info;
    char name[MPI_MAX_PSET_NAME_LEN];
    int length = sizeof name;
    SEE("session_call_errhandler", MPI_Session_call_errhandler(session, MPI_ERR_ARG));
    /* MPICH 4.0.2 ends the program for each of these, natively, too. */
    if (host_is("mpich"))
        return;
    SEE("session_get_nth_pset beyond", MPI_Session_get_nth_pset(session, MPI_INFO_NULL, 777, &length, name));
    SEE("session_get_nth_pset before", MPI_Session_get_nth_pset(session, MPI_INFO_NULL, -1, &length, name));
    SEE("group_from_session_pset of no set", MPI_Group_from_session_pset(session, "none", &group));
    SEE("session_get_pset_info of no set", MPI_Session_get_pset_info(session, "none", &info));
}

int main(void)
{
    MPI_Session second;
    int length = 0, provided = 77;
    begin();
    states("in a session");
    process_sets();
    errors();
    SEE("session_init of a second", MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &second),
        note(" %s", second == session ? "the first" : "another"));
    SEE("session_finalize of the first", MPI_Session_finalize(&session), note(" %s", session == MPI_SESSION_NULL ? "null" : "not null"));
    SEE("init_thread beside a session", MPI_Init_thread(0, 0, MPI_THREAD_SINGLE, &provided),
        note(" %s", provided == MPI_THREAD_SINGLE ? "single" : "another"));
    states("in the world");
    MPI_Comm_dup(MPI_COMM_SELF, &duplicate);
    SEE("session_finalize of the second", MPI_Session_finalize(&second));
    SEE("allreduce in the world", MPI_Allreduce(MPI_IN_PLACE, numbers, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD), note_numbers(numbers, 2));
    set_all(on_comm);
    if (!host_is("mpich")) {
        SEE("session_get_num_psets of the null session", MPI_Session_get_num_psets(MPI_SESSION_NULL, MPI_INFO_NULL, &length));
        SEE("session_call_errhandler of the null session", MPI_Session_call_errhandler(MPI_SESSION_NULL, MPI_ERR_ARG));
        SEE("session_finalize of the null session", MPI_Session_finalize(&second));
    }
    SEE("finalize", MPI_Finalize());
    states("after");
    return 0;
}
