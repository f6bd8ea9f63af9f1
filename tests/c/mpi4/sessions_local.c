/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks: 2 */
/* libs: -lpthread */
/* MPI_Session_init is local: it waits for nobody while another thread makes a communicator, for which the other process waits
 * until this one has a session. */
#include "check.h"

#include <pthread.h>
#include <time.h>

static int is_making, wrong;

static void *make_comm(void *unused)
{
    MPI_Group all;
    MPI_Comm made;
    wrong += MPI_Comm_group(MPI_COMM_WORLD, &all) != MPI_SUCCESS;
    __atomic_store_n(&is_making, 1, __ATOMIC_RELEASE);
    wrong += MPI_Comm_create_group(MPI_COMM_WORLD, all, 7, &made) != MPI_SUCCESS;
    wrong += MPI_Comm_free(&made) != MPI_SUCCESS;
    wrong += MPI_Group_free(&all) != MPI_SUCCESS;
    return NULL;
}

/* The other thread is in the call by the time that this one has slept. If not, the test only shows less. */
static void begin_sessions(void)
{
    struct timespec moment = { 0, 100000000 };
    MPI_Session session;
    while (!__atomic_load_n(&is_making, __ATOMIC_ACQUIRE))
        ;
    nanosleep(&moment, NULL);
    for (int i = 0; i < 2; i++) {
        OK(MPI_Session_init(MPI_INFO_NULL, i == 0 ? MPI_ERRORS_RETURN : MPI_ERRORS_ARE_FATAL, &session));
        OK(MPI_Session_set_errhandler(session, MPI_ERRORS_RETURN));
        OK(MPI_Session_call_errhandler(session, MPI_ERR_OTHER));
        OK(MPI_Session_finalize(&session));
    }
}

int main(int argc, char **argv)
{
    int provided, word = 0;
    pthread_t thread;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    check_identify();
    if (provided < MPI_THREAD_MULTIPLE)
        return check_end();
    if (check_rank == 0) {
        pthread_create(&thread, NULL, make_comm, NULL);
        begin_sessions();
        OK(MPI_Send(&word, 1, MPI_INT, 1, 0, MPI_COMM_WORLD));
        pthread_join(thread, NULL);
    } else {
        OK(MPI_Recv(&word, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        make_comm(NULL);
    }
    CHECK_INT(wrong, 0);
    return check_end();
}
