/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks: 1 */
/* libs: -pthread */
/* Threads that live shortly, one after the other, wait for requests and meet errors: nothing that the adapter keeps for a thread
 * or a call is left once they have ended. */
#include "check.h"
#include <pthread.h>

#include "../resident.h"

/* Memory of hosts and of the C library grows with the first threads. One page for each of the others would take 6 MB. */
enum { FIRST = 500, THREADS = 1500, MOST = 2000 /* KiB */, REQUESTS = 20, WORDS = 64 };

static int failed, provided;

static void count(MPI_Comm *comm, int *code, ...)
{
    (void)comm, (void)code;
    failed++;
}

static void *live(void *comm)
{
    int in[REQUESTS][WORDS], out[WORDS] = { 0 };
    MPI_Request requests[2 * REQUESTS];
    MPI_Status statuses[2 * REQUESTS];
    for (int i = 0; i < REQUESTS; i++) {
        OK(MPI_Irecv(in[i], WORDS, MPI_INT, 0, i, MPI_COMM_SELF, &requests[2 * i]));
        OK(MPI_Isend(out, WORDS, MPI_INT, 0, i, MPI_COMM_SELF, &requests[2 * i + 1]));
    }
    OK(MPI_Waitall(2 * REQUESTS, requests, statuses));
    MPI_Send(out, 1, MPI_INT, 7, 0, *(MPI_Comm *)comm);
    MPI_Comm_set_attr(*(MPI_Comm *)comm, MPI_KEYVAL_INVALID, NULL);
    return NULL;
}

static void run(int threads, MPI_Comm *comm)
{
    for (int i = 0; i < threads; i++) {
        pthread_t thread;
        CHECK_INT(pthread_create(&thread, NULL, live, comm), 0);
        CHECK_INT(pthread_join(thread, NULL), 0);
    }
}

int main(int argc, char **argv)
{
    MPI_Comm comm;
    MPI_Errhandler handler;
    OK(MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided));
    check_identify();
    if (provided >= MPI_THREAD_SERIALIZED) {
        OK(MPI_Comm_dup(MPI_COMM_SELF, &comm));
        OK(MPI_Comm_create_errhandler(count, &handler));
        OK(MPI_Comm_set_errhandler(comm, handler));
        OK(MPI_Comm_set_errhandler(MPI_COMM_SELF, handler));
        OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler));
        OK(MPI_Errhandler_free(&handler));
        run(FIRST, &comm);
        long before = resident();
        run(THREADS, &comm);
        long grown = resident() - before;
        if (before >= 0 && grown > MOST)
            fprintf(stderr, "%d threads left %ld KiB\n", THREADS, grown);
        CHECK(before < 0 || grown <= MOST);
        CHECK_INT(failed, 2 * (FIRST + THREADS));
        OK(MPI_Comm_free(&comm));
    }
    return check_end();
}
