/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks: 1 */
/* libs: -lpthread */
/* Eight threads begin and end sessions, and use what comes from these: process sets, groups, communicators, buffers, error
 * handlers. */
#include "check.h"

#include <pthread.h>

enum { THREADS = 8, ROUNDS = 20 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static __thread int wrong, first_line, handled;

#define RIGHT(condition) ((condition) ? (void)0 : note(__LINE__))
#define DONE(call) RIGHT((call) == MPI_SUCCESS)

static void note(int line)
{
    if (wrong++ == 0)
        first_line = line;
}

static void on_session(MPI_Session *session, int *code, ...) { handled++; }

static void enquiries(MPI_Session session)
{
    char name[MPI_MAX_PSET_NAME_LEN];
    int count = 0, length = sizeof name, flag = 0, size = sizeof name;
    MPI_Info info;
    DONE(MPI_Session_get_num_psets(session, MPI_INFO_NULL, &count));
    RIGHT(count >= 2);
    DONE(MPI_Session_get_nth_pset(session, MPI_INFO_NULL, 0, &length, name));
    DONE(MPI_Session_get_pset_info(session, "mpi://SELF", &info));
    DONE(MPI_Info_get_string(info, "mpi_size", &size, name, &flag));
    RIGHT(flag && atoi(name) == 1);
    DONE(MPI_Info_free(&info));
    DONE(MPI_Session_get_info(session, &info));
    DONE(MPI_Info_free(&info));
}

static void handlers(MPI_Session session)
{
    MPI_Errhandler made, got;
    handled = 0;
    DONE(MPI_Session_create_errhandler(on_session, &made));
    DONE(MPI_Session_set_errhandler(session, made));
    DONE(MPI_Session_get_errhandler(session, &got));
    RIGHT(got == made);
    DONE(MPI_Session_call_errhandler(session, MPI_ERR_OTHER));
    RIGHT(handled == 1);
    DONE(MPI_Errhandler_free(&got));
    DONE(MPI_Errhandler_free(&made));
    DONE(MPI_Session_set_errhandler(session, MPI_ERRORS_RETURN));
}

static MPI_Comm communicator(MPI_Session session, int id)
{
    char tag[40];
    MPI_Group self, again;
    MPI_Comm comm = MPI_COMM_NULL;
    snprintf(tag, sizeof tag, "tests.threads.%d", id);
    DONE(MPI_Group_from_session_pset(session, "mpi://SELF", &self));
    DONE(MPI_Group_union(self, MPI_GROUP_EMPTY, &again));
    DONE(MPI_Group_free(&self));
    DONE(MPI_Comm_create_from_group(again, tag, MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm));
    DONE(MPI_Group_free(&again));
    return comm;
}

/* The mpi.h of older releases does not have them. */
#if defined MPI_BUFFER_AUTOMATIC
static void buffers(MPI_Session session, MPI_Comm comm, int round)
{
    int in = -1, size;
    void *address;
    MPI_Request flushed;
    DONE(MPI_Session_attach_buffer(session, MPI_BUFFER_AUTOMATIC, 0));
    DONE(MPI_Bsend(&round, 1, MPI_INT, 0, 1, comm));
    DONE(MPI_Session_iflush_buffer(session, &flushed));
    DONE(MPI_Recv(&in, 1, MPI_INT, 0, 1, comm, MPI_STATUS_IGNORE));
    RIGHT(in == round);
    DONE(MPI_Wait(&flushed, MPI_STATUS_IGNORE));
    DONE(MPI_Comm_attach_buffer(comm, MPI_BUFFER_AUTOMATIC, 0));
    DONE(MPI_Bsend(&round, 1, MPI_INT, 0, 1, comm));
    DONE(MPI_Recv(&in, 1, MPI_INT, 0, 1, comm, MPI_STATUS_IGNORE));
    DONE(MPI_Comm_flush_buffer(comm));
    DONE(MPI_Session_detach_buffer(session, &address, &size));
    RIGHT(address == MPI_BUFFER_AUTOMATIC);
}
#else
static void buffers(MPI_Session session, MPI_Comm comm, int round) {}
#endif

static void *worker(void *argument)
{
    int id = *(int *)argument;
    for (int round = 0; round < ROUNDS; round++) {
        MPI_Session session = MPI_SESSION_NULL;
        DONE(MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session));
        enquiries(session);
        handlers(session);
        MPI_Comm comm = communicator(session, id);
        if (comm != MPI_COMM_NULL) {
            buffers(session, comm, round);
            DONE(MPI_Comm_free(&comm));
        }
        DONE(MPI_Session_finalize(&session));
        RIGHT(session == MPI_SESSION_NULL);
    }
    pthread_mutex_lock(&lock);
    if (wrong)
        fprintf(stderr, "thread %d: the first of %d that are not so is of line %d\n", id, wrong, first_line);
    CHECK_INT(wrong, 0);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t threads[THREADS];
    int ids[THREADS], provided, count;
    OK(MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided));
    check_identify();
    count = known_fault("sessions-of-threads") ? 1 : THREADS;
    for (int i = 0; i < count; i++) {
        ids[i] = i;
        pthread_create(&threads[i], NULL, worker, &ids[i]);
    }
    for (int i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
    return check_end();
}
