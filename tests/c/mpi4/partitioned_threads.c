/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks: 2 */
/* libs: -lpthread */
/* Partitions that several threads mark and look for, and requests that several threads make at a time. */
#include "check.h"

#include <pthread.h>

enum { THREADS = 4, PARTS = 64, EACH = 50, ROUNDS = 20 };

static MPI_Request shared;
static int data[PARTS * EACH], round_number;
static pthread_barrier_t barrier;

/* A quarter of the partitions, in an order of its own. */
static void *mark(void *thread)
{
    int first = (int)(long)thread;
    for (int k = 0; k < PARTS / THREADS; k++) {
        int part = first + THREADS * (first % 2 ? PARTS / THREADS - 1 - k : k);
        for (int i = 0; i < EACH; i++)
            data[part * EACH + i] = round_number + part;
        OK(MPI_Pready(part, shared));
    }
    return 0;
}

static void *look(void *thread)
{
    int first = (int)(long)thread, flag;
    for (int part = first; part < PARTS; part += THREADS) {
        for (flag = 0; !flag;)
            OK(MPI_Parrived(shared, part, &flag));
        CHECK(data[part * EACH] == round_number + part && data[part * EACH + EACH - 1] == round_number + part);
    }
    return 0;
}

static void run(void *(*work)(void *))
{
    pthread_t threads[THREADS];
    for (long i = 0; i < THREADS; i++)
        pthread_create(&threads[i], 0, work, (void *)i);
    if (work == mark) /* while they mark partitions */
        OK(MPI_Wait(&shared, MPI_STATUS_IGNORE));
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], 0);
}

static void one_request(void)
{
    if (check_rank == 0)
        OK(MPI_Psend_init(data, PARTS, EACH, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &shared));
    else
        OK(MPI_Precv_init(data, PARTS, EACH, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &shared));
    for (round_number = 0; round_number < ROUNDS; round_number++) {
        memset(data, 0xff, sizeof data);
        OK(MPI_Start(&shared));
        run(check_rank == 0 ? mark : look);
        if (check_rank == 1)
            OK(MPI_Wait(&shared, MPI_STATUS_IGNORE));
    }
    OK(MPI_Request_free(&shared));
}

/* Both ways at a time, in a communicator of the thread's own. */
static void *own_requests(void *argument)
{
    MPI_Comm comm = *(MPI_Comm *)argument;
    pthread_barrier_wait(&barrier);
    for (int i = 0; i < ROUNDS; i++) {
        int values[2] = { 10 * i + check_rank, -1 };
        MPI_Request requests[2];
        OK(MPI_Psend_init(&values[0], 1, 1, MPI_INT, 1 - check_rank, 0, comm, MPI_INFO_NULL, &requests[0]));
        OK(MPI_Precv_init(&values[1], 1, 1, MPI_INT, 1 - check_rank, 0, comm, MPI_INFO_NULL, &requests[1]));
        for (int round = 0; round < 3; round++) {
            values[1] = -1;
            OK(MPI_Startall(2, requests));
            OK(MPI_Pready(0, requests[0]));
            OK(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
            CHECK_INT(values[1], 10 * i + 1 - check_rank);
        }
        OK(MPI_Request_free(&requests[0]));
        OK(MPI_Request_free(&requests[1]));
    }
    return 0;
}

static void many_requests(void)
{
    pthread_t threads[THREADS];
    MPI_Comm comms[THREADS];
    pthread_barrier_init(&barrier, 0, THREADS);
    for (int i = 0; i < THREADS; i++)
        OK(MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]));
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], 0, own_requests, &comms[i]);
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], 0);
        OK(MPI_Comm_free(&comms[i]));
    }
}

int main(int argc, char **argv)
{
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    check_identify();
    if (provided == MPI_THREAD_MULTIPLE) {
        one_request();
        many_requests();
    }
    return check_end();
}
