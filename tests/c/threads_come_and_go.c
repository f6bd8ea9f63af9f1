/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks: 2 */
/* libs: -pthread */
/* Threads begin and end while others communicate: what a thread leaves behind disturbs no other, nor its successor. */
#include "check.h"
#include <pthread.h>

enum { STEADY = 2, ROUNDS = 150, LIVES = 40, AT_A_TIME = 3, REQUESTS = 6 };

static int me, peer, errors_seen;
static MPI_Comm steady_comms[STEADY], guests;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Checks of threads: those of check.h count without a lock. */
static void expect(int condition, const char *what)
{
    if (condition)
        return;
    pthread_mutex_lock(&lock);
    fprintf(stderr, "rank %d: %s\n", me, what);
    check_failures++;
    pthread_mutex_unlock(&lock);
}
#define EXPECT(condition) expect(condition, #condition)
#define DONE(call) EXPECT((call) == MPI_SUCCESS)

static void count_error(MPI_Comm *comm, int *code, ...)
{
    (void)comm, (void)code;
    __atomic_add_fetch(&errors_seen, 1, __ATOMIC_RELAXED);
}

static void add(void *in, void *inout, int *count, MPI_Datatype *type)
{
    EXPECT(*type == MPI_INT);
    for (int i = 0; i < *count; i++)
        ((int *)inout)[i] += ((int *)in)[i];
}

/* Messages, and reductions by an operation of its own, from the first to the last. */
static void *stay(void *of)
{
    MPI_Comm comm = *(MPI_Comm *)of;
    MPI_Op sum;
    DONE(MPI_Op_create(add, 1, &sum));
    for (int i = 0; i < ROUNDS; i++) {
        int out = 1000 * me + i, in = -1, total = -1;
        MPI_Status status;
        DONE(MPI_Sendrecv(&out, 1, MPI_INT, peer, i % 7, &in, 1, MPI_INT, peer, i % 7, comm, &status));
        EXPECT(in == 1000 * peer + i && status.MPI_SOURCE == peer && status.MPI_TAG == i % 7);
        DONE(MPI_Allreduce(&out, &total, 1, MPI_INT, sum, comm));
        EXPECT(total == 1000 + 2 * i);
    }
    DONE(MPI_Op_free(&sum));
    return NULL;
}

static int deleted(MPI_Comm comm, int key, void *value, void *state)
{
    (void)comm, (void)key, (void)state;
    __atomic_add_fetch((int *)value, 1, __ATOMIC_RELAXED);
    return MPI_SUCCESS;
}

/* Objects with callbacks, made and freed in one life. */
static void keep_house(void)
{
    MPI_Comm own;
    MPI_Errhandler handler;
    int key, calls = 0, value = 0;
    DONE(MPI_Comm_create_errhandler(count_error, &handler));
    DONE(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, deleted, &key, NULL));
    pthread_mutex_lock(&lock);
    DONE(MPI_Comm_dup(MPI_COMM_SELF, &own));
    pthread_mutex_unlock(&lock);
    DONE(MPI_Comm_set_errhandler(own, handler));
    DONE(MPI_Comm_set_attr(own, key, &calls));
    EXPECT(MPI_Send(&value, 1, MPI_INT, 7, 0, own) != MPI_SUCCESS);
    DONE(MPI_Comm_free(&own));
    EXPECT(calls == 1);
    DONE(MPI_Comm_free_keyval(&key));
    DONE(MPI_Errhandler_free(&handler));
}

/* A life: messages by a datatype of its own with its fellow of the same number on the other rank. */
static void *visit(void *number)
{
    int tag = 10 * *(int *)number, out[REQUESTS][4], in[REQUESTS][4];
    MPI_Request requests[2 * REQUESTS];
    MPI_Status statuses[2 * REQUESTS];
    MPI_Datatype ends;
    DONE(MPI_Type_vector(2, 1, 3, MPI_INT, &ends));
    DONE(MPI_Type_commit(&ends));
    for (int i = 0; i < REQUESTS; i++) {
        for (int j = 0; j < 4; j++)
            out[i][j] = tag + i + j, in[i][j] = -1;
        DONE(MPI_Irecv(in[i], 1, ends, peer, tag + i, guests, &requests[2 * i]));
        DONE(MPI_Isend(out[i], 1, ends, peer, tag + i, guests, &requests[2 * i + 1]));
    }
    DONE(MPI_Type_free(&ends));
    keep_house();
    DONE(MPI_Waitall(2 * REQUESTS, requests, statuses));
    for (int i = 0; i < REQUESTS; i++) {
        EXPECT(in[i][0] == tag + i && in[i][1] == -1 && in[i][3] == tag + i + 3);
        EXPECT(statuses[2 * i].MPI_SOURCE == peer && statuses[2 * i].MPI_TAG == tag + i);
    }
    return NULL;
}

static void receive_guests(void)
{
    pthread_t threads[AT_A_TIME];
    int numbers[AT_A_TIME];
    for (int i = 0; i < LIVES + AT_A_TIME; i++) {
        int place = i % AT_A_TIME;
        if (i >= AT_A_TIME)
            CHECK_INT(pthread_join(threads[place], NULL), 0);
        numbers[place] = i;
        if (i < LIVES)
            CHECK_INT(pthread_create(&threads[place], NULL, visit, &numbers[place]), 0);
    }
}

int main(int argc, char **argv)
{
    int provided;
    pthread_t threads[STEADY];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    check_identify();
    me = check_rank, peer = 1 - me;
    if (provided == MPI_THREAD_MULTIPLE) {
        OK(MPI_Comm_dup(MPI_COMM_WORLD, &guests));
        for (int i = 0; i < STEADY; i++) {
            OK(MPI_Comm_dup(MPI_COMM_WORLD, &steady_comms[i]));
            CHECK_INT(pthread_create(&threads[i], NULL, stay, &steady_comms[i]), 0);
        }
        receive_guests();
        for (int i = 0; i < STEADY; i++) {
            CHECK_INT(pthread_join(threads[i], NULL), 0);
            OK(MPI_Comm_free(&steady_comms[i]));
        }
        CHECK_INT(errors_seen, LIVES);
        OK(MPI_Comm_free(&guests));
    }
    return check_end();
}
