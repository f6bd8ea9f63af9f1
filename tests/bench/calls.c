/* SPDX-License-Identifier: BSD-3-Clause */
/* calls: makes CALLS calls of each kind and lets callgrind write a profile after each, described by
 * "KIND CALLS PROCEDURE...": what instructions were spent in, of all that a kind needs. One process,
 * which talks to itself. */
#include <mpi.h>
#include <stdio.h>
#include <valgrind/callgrind.h>

#define CALLS 1600
#define WINDOW 16
#define MANY 64

static char from[64], to[64];
static MPI_Comm comm;
static MPI_Status status;
static int number, flag;

/* Around what is counted. */
#define BEGIN CALLGRIND_ZERO_STATS
#define END(kind, calls, procedures) CALLGRIND_DUMP_STATS_AT(kind " " #calls " " procedures)

/* One kind of calls that need nothing around them. */
#define COUNT(kind, procedure, call)                                                               \
    do {                                                                                           \
        BEGIN;                                                                                     \
        for (int i = 0; i < CALLS; i++)                                                            \
            call;                                                                                  \
        END(kind, 1600, procedure);                                                                \
    } while (0)

static void inquiries(void)
{
    MPI_Datatype vector;
    int *value;
    double time = 0;
    COUNT("comm_rank", "MPI_Comm_rank", MPI_Comm_rank(MPI_COMM_WORLD, &number));
    COUNT("type_size", "MPI_Type_size", MPI_Type_size(MPI_DOUBLE, &number));
    COUNT("get_count", "MPI_Get_count", MPI_Get_count(&status, MPI_CHAR, &number));
    COUNT("comm_get_attr", "MPI_Comm_get_attr", MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &value, &flag));
    COUNT("wtime", "MPI_Wtime", time += MPI_Wtime());
    COUNT("type_vector", "MPI_Type_vector MPI_Type_commit MPI_Type_free",
          (MPI_Type_vector(4, 1, 2, MPI_INT, &vector), MPI_Type_commit(&vector), MPI_Type_free(&vector)));
}

static void add(void *in, void *inout, int *length, MPI_Datatype *datatype)
{
    (void)datatype;
    for (int i = 0; i < *length; i++)
        ((double *)inout)[i] += ((double *)in)[i];
}

static void reductions(void)
{
    double one = 1, sum = 0;
    MPI_Op op;
    COUNT("allreduce", "MPI_Allreduce", MPI_Allreduce(&one, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD));
    COUNT("reduce_local", "MPI_Reduce_local", MPI_Reduce_local(&one, &sum, 1, MPI_DOUBLE, MPI_SUM));
    MPI_Op_create(add, 1, &op);
    COUNT("reduce_local_user", "MPI_Reduce_local", MPI_Reduce_local(&one, &sum, 1, MPI_DOUBLE, op));
    MPI_Op_free(&op);
}

/* A window of requests; each is a call. */
static void window(MPI_Status *statuses)
{
    MPI_Request requests[WINDOW];
    for (int done = 0; done < CALLS; done += WINDOW) {
        for (int i = 0; i < WINDOW / 2; i++)
            MPI_Irecv(to, 8, MPI_CHAR, 0, 1, comm, requests + i);
        for (int i = WINDOW / 2; i < WINDOW; i++)
            MPI_Isend(from, 8, MPI_CHAR, 0, 1, comm, requests + i);
        MPI_Waitall(WINDOW, requests, statuses);
    }
}

static void windows(void)
{
    MPI_Status statuses[WINDOW];
    BEGIN;
    window(MPI_STATUSES_IGNORE);
    END("window", 1600, "MPI_Isend MPI_Irecv MPI_Waitall");
    BEGIN;
    window(statuses);
    END("window_statuses", 1600, "MPI_Isend MPI_Irecv MPI_Waitall");
}

static void point_to_point(void)
{
    MPI_Request request;
    COUNT("sendrecv", "MPI_Sendrecv",
          MPI_Sendrecv(from, 8, MPI_CHAR, 0, 1, to, 8, MPI_CHAR, 0, 1, comm, &status));
    COUNT("iprobe", "MPI_Iprobe", MPI_Iprobe(0, 1, comm, &flag, &status));
    MPI_Isend(from, 8, MPI_CHAR, 0, 1, comm, &request);
    for (flag = 0; !flag;)
        MPI_Iprobe(0, 1, comm, &flag, &status);
    COUNT("iprobe_found", "MPI_Iprobe", MPI_Iprobe(0, 1, comm, &flag, &status));
    MPI_Recv(to, 8, MPI_CHAR, 0, 1, comm, &status);
    MPI_Wait(&request, &status);
    MPI_Irecv(to, 8, MPI_CHAR, 0, 1, comm, &request);
    COUNT("test_active", "MPI_Test", MPI_Test(&request, &flag, &status));
    MPI_Send(from, 8, MPI_CHAR, 0, 1, comm);
    MPI_Wait(&request, &status);
}

/* 64 receives, of which one at a time is completed and started again. */
static void waitany(void)
{
    MPI_Request requests[MANY], sent;
    for (int i = 0; i < MANY; i++)
        MPI_Irecv(to, 8, MPI_CHAR, 0, i, comm, requests + i);
    BEGIN;
    for (int i = 0; i < CALLS; i++) {
        int tag = i % MANY;
        MPI_Isend(from, 8, MPI_CHAR, 0, tag, comm, &sent);
        MPI_Waitany(MANY, requests, &number, &status);
        MPI_Irecv(to, 8, MPI_CHAR, 0, tag, comm, requests + tag);
        MPI_Wait(&sent, MPI_STATUS_IGNORE);
    }
    END("waitany_64", 1600, "MPI_Waitany");
    for (int i = 0; i < MANY; i++)
        MPI_Send(from, 8, MPI_CHAR, 0, i, comm);
    MPI_Waitall(MANY, requests, MPI_STATUSES_IGNORE);
}

static void one_sided(void)
{
    MPI_Win win;
    MPI_Win_create(to, sizeof to, 1, MPI_INFO_NULL, comm, &win);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
    COUNT("put", "MPI_Put", MPI_Put(from, 8, MPI_CHAR, 0, 0, 8, MPI_CHAR, win));
    MPI_Win_unlock(0, win);
    MPI_Win_free(&win);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    comm = MPI_COMM_SELF;
    MPI_Sendrecv(from, 8, MPI_CHAR, 0, 1, to, 8, MPI_CHAR, 0, 1, comm, &status);
    CALLGRIND_START_INSTRUMENTATION;
    inquiries();
    reductions();
    windows();
    point_to_point();
    waitany();
    one_sided();
    CALLGRIND_STOP_INSTRUMENTATION;
    MPI_Finalize();
    puts("done");
    return 0;
}
