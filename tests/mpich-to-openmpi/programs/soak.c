/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes and completes many requests, and makes and frees many objects of each class; its resident
 * memory must not grow after the first tenth.
 *   soak PERCENT [THREADS]    how much of the full number: 10^7 requests, 10^5 objects of each class
 * Prints "right", or what grew. Each thread talks to itself on its own communicator. */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "resident.h"

enum { WINDOW = 8, MAX_THREADS = 64 };

static int percent, threads, bad;
static MPI_Comm comms[MAX_THREADS];

/* Completes a window of requests by one of the procedures, in turn. */
static void complete(MPI_Request *requests, int turn)
{
    int index, flag = 0, done, indices[2 * WINDOW], left = 2 * WINDOW;
    MPI_Status statuses[2 * WINDOW];
    switch (turn % 8) {
    case 0: MPI_Waitall(2 * WINDOW, requests, MPI_STATUSES_IGNORE); break;
    case 1: MPI_Waitall(2 * WINDOW, requests, statuses); break;
    case 2:
        for (int i = 0; i < 2 * WINDOW; i++)
            MPI_Wait(&requests[i], &statuses[i]);
        break;
    case 3:
        while (left-- > 0)
            MPI_Waitany(2 * WINDOW, requests, &index, statuses);
        break;
    case 4:
        for (; left > 0; left -= done)
            MPI_Waitsome(2 * WINDOW, requests, &done, indices, statuses);
        break;
    case 5:
        while (!flag)
            MPI_Testall(2 * WINDOW, requests, &flag, statuses);
        break;
    case 6:
        for (; left > 0; left -= done)
            MPI_Testsome(2 * WINDOW, requests, &done, indices, MPI_STATUSES_IGNORE);
        break;
    default:
        while (left > 0) {
            MPI_Testany(2 * WINDOW, requests, &index, &flag, statuses);
            left -= flag;
        }
    }
}

static void some_requests(MPI_Comm comm, long count)
{
    int from[WINDOW], to[WINDOW];
    MPI_Request requests[2 * WINDOW];
    for (long i = 0; i < count / (2 * WINDOW); i++) {
        for (int j = 0; j < WINDOW; j++)
            MPI_Irecv(&to[j], 1, MPI_INT, 0, j, comm, &requests[j]);
        for (int j = 0; j < WINDOW; j++) {
            from[j] = (int)i + j;
            MPI_Isend(&from[j], 1, MPI_INT, 0, j, comm, &requests[WINDOW + j]);
        }
        complete(requests, (int)i);
        for (int j = 0; j < WINDOW; j++)
            if (to[j] != (int)i + j)
                bad = 1;
    }
}

static void *thread_main(void *argument)
{
    long *count = argument;
    some_requests(comms[count[1]], count[0]);
    return 0;
}

static void requests(long count)
{
    pthread_t thread[MAX_THREADS];
    long arguments[MAX_THREADS][2];
    if (threads == 1) {
        some_requests(comms[0], count);
        return;
    }
    for (int i = 0; i < threads; i++) {
        arguments[i][0] = count / threads;
        arguments[i][1] = i;
        pthread_create(&thread[i], 0, thread_main, arguments[i]);
    }
    for (int i = 0; i < threads; i++)
        pthread_join(thread[i], 0);
}

static void communicators(long count)
{
    for (long i = 0; i < count; i++) {
        MPI_Comm copy;
        MPI_Comm_dup(MPI_COMM_SELF, &copy);
        MPI_Comm_free(&copy);
    }
}

static void datatypes(long count)
{
    for (long i = 0; i < count; i++) {
        MPI_Datatype vector, pair;
        MPI_Type_vector(3, 1, 2, MPI_DOUBLE, &vector);
        MPI_Type_create_struct(2, (int[2]){ 1, 2 }, (MPI_Aint[2]){ 0, 64 }, (MPI_Datatype[2]){ vector, MPI_INT }, &pair);
        MPI_Type_commit(&pair);
        MPI_Type_free(&vector);
        MPI_Type_free(&pair);
    }
}

static void add(void *in, void *inout, int *count, MPI_Datatype *datatype)
{
    (void)datatype;
    for (int i = 0; i < *count; i++)
        ((int *)inout)[i] += ((int *)in)[i];
}

static void ops(long count)
{
    for (long i = 0; i < count; i++) {
        int one = 1, two = 2;
        MPI_Op op;
        MPI_Op_create(add, 1, &op);
        MPI_Reduce_local(&one, &two, 1, MPI_INT, op);
        MPI_Op_free(&op);
        bad |= two != 3;
    }
}

static void groups(long count)
{
    for (long i = 0; i < count; i++) {
        MPI_Group world, part;
        MPI_Comm_group(MPI_COMM_WORLD, &world);
        MPI_Group_incl(world, 1, (int[1]){ 0 }, &part);
        MPI_Group_free(&part);
        MPI_Group_free(&world);
    }
}

static void infos(long count)
{
    for (long i = 0; i < count; i++) {
        MPI_Info info;
        MPI_Info_create(&info);
        MPI_Info_set(info, "key", "value");
        MPI_Info_free(&info);
    }
}

static int copy(MPI_Comm comm, int keyval, void *extra, void *in, void *out, int *flag)
{
    (void)comm, (void)keyval, (void)extra;
    *(void **)out = in;
    *flag = 1;
    return MPI_SUCCESS;
}

static int delete(MPI_Comm comm, int keyval, void *value, void *extra)
{
    (void)comm, (void)keyval, (void)value, (void)extra;
    return MPI_SUCCESS;
}

static void keyvals(long count)
{
    for (long i = 0; i < count; i++) {
        int keyval;
        MPI_Comm_create_keyval(copy, delete, &keyval, NULL);
        MPI_Comm_set_attr(MPI_COMM_SELF, keyval, &bad);
        MPI_Comm_delete_attr(MPI_COMM_SELF, keyval);
        MPI_Comm_free_keyval(&keyval);
    }
}

static void handle(MPI_Comm *comm, int *code, ...)
{
    (void)comm, (void)code;
}

static void errhandlers(long count)
{
    for (long i = 0; i < count; i++) {
        MPI_Errhandler errhandler;
        MPI_Comm_create_errhandler(handle, &errhandler);
        MPI_Comm_set_errhandler(MPI_COMM_SELF, errhandler);
        MPI_Errhandler_free(&errhandler);
        MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL);
    }
}

/* Says how much memory grew between the first tenth and the end. */
static void soak(const char *what, void (*work)(long), long full)
{
    long count = full / 100 * percent;
    work(count / 10);
    long before = resident();
    work(count - count / 10);
    printf("%s %ld\n", what, resident() - before);
}

int main(int argc, char **argv)
{
    int provided;
    percent = atoi(argv[1]);
    threads = argc > 2 ? atoi(argv[2]) : 1;
    MPI_Init_thread(&argc, &argv, threads > 1 ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &provided);
    for (int i = 0; i < threads; i++)
        MPI_Comm_dup(MPI_COMM_SELF, &comms[i]);
    if (threads > 1 && provided != MPI_THREAD_MULTIPLE)
        bad = 1;
    soak("requests", requests, 10000000);
    if (threads == 1) {
        soak("communicators", communicators, 100000);
        soak("datatypes", datatypes, 100000);
        soak("ops", ops, 100000);
        soak("groups", groups, 100000);
        soak("infos", infos, 100000);
        soak("keyvals", keyvals, 100000);
        soak("errhandlers", errhandlers, 100000);
    }
    for (int i = 0; i < threads; i++)
        MPI_Comm_free(&comms[i]);
    fputs(bad ? "wrong\n" : "right\n", stdout);
    MPI_Finalize();
    return bad;
}
