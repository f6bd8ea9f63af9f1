/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks: 2 */
/* libs: -pthread */
/* Thread levels, and eight threads that communicate at the same time. */
#include "check.h"
#include <pthread.h>

enum { THREADS = 8, ROUNDS = 300 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int bad, provided;

static void sum(void *in, void *inout, int *length, MPI_Datatype *type)
{
    for (int i = 0; i < *length; i++)
        ((int *)inout)[i] += ((int *)in)[i];
}

static int one_round(int id, int round)
{
    int out[3] = { id, round, check_rank }, in[3] = { -1, -1, -1 }, wrong = 0, a = 2, b = 3;
    MPI_Request requests[3];
    MPI_Status statuses[3];
    MPI_Datatype type;
    MPI_Op op;
    MPI_Type_contiguous(3, MPI_INT, &type);
    MPI_Type_commit(&type);
    MPI_Irecv(in, 1, type, 1 - check_rank, id, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(out, 1, type, 1 - check_rank, id, MPI_COMM_WORLD, &requests[1]);
    requests[2] = MPI_REQUEST_NULL;
    wrong += MPI_Waitall(3, requests, statuses) != MPI_SUCCESS;
    wrong += in[0] != id || in[1] != round || in[2] != 1 - check_rank;
    wrong += statuses[0].MPI_SOURCE != 1 - check_rank || statuses[0].MPI_TAG != id;
    MPI_Op_create(sum, 1, &op);
    MPI_Reduce_local(&a, &b, 1, MPI_INT, op);
    MPI_Op_free(&op);
    MPI_Type_free(&type);
    return wrong + (b != 5);
}

static void *worker(void *argument)
{
    int id = *(int *)argument, wrong = 0, main_thread = 1;
    wrong += MPI_Is_thread_main(&main_thread) != MPI_SUCCESS || main_thread;
    for (int round = 0; round < ROUNDS; round++)
        wrong += one_round(id, round);
    pthread_mutex_lock(&lock);
    bad += wrong;
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void stress(void)
{
    pthread_t threads[THREADS];
    int ids[THREADS];
    for (int i = 0; i < THREADS; i++) {
        ids[i] = i;
        pthread_create(&threads[i], NULL, worker, &ids[i]);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    CHECK_INT(bad, 0);
}

int main(int argc, char **argv)
{
    int level = -1, flag = 0;
    OK(MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided));
    check_identify();
    CHECK(MPI_THREAD_SINGLE < MPI_THREAD_FUNNELED && MPI_THREAD_FUNNELED < MPI_THREAD_SERIALIZED
          && MPI_THREAD_SERIALIZED < MPI_THREAD_MULTIPLE);
    CHECK_INT(provided, MPI_THREAD_MULTIPLE);
    OK(MPI_Query_thread(&level));
    CHECK_INT(level, provided);
    OK(MPI_Is_thread_main(&flag));
    CHECK(flag);
    if (provided == MPI_THREAD_MULTIPLE)
        stress();
    return check_end();
}
