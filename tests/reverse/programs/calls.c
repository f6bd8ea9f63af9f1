/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes 1600 calls of each kind and lets callgrind write a profile after each, described by
 * "KIND CALLS PROCEDURE...", as tests/bench/instructions.py reads them. One process, which talks to
 * itself: on MPI_COMM_WORLD, and of some kinds on a duplicate, whose handle is compressed. */
#include <mpi.h>
#include <stdio.h>
#include <valgrind/callgrind.h>

enum { CALLS = 1600, WINDOW = 16 };

static char from[64], to[64];
static MPI_Status status;
static int number, flag;

#define BEGIN CALLGRIND_ZERO_STATS
#define END(kind, procedures) CALLGRIND_DUMP_STATS_AT(kind " 1600 " procedures)

#define COUNT(kind, procedures, call)                                                              \
    do {                                                                                           \
        BEGIN;                                                                                     \
        for (int i = 0; i < CALLS; i++)                                                            \
            call;                                                                                  \
        END(kind, procedures);                                                                     \
    } while (0)

static void inquiries(MPI_Comm copy)
{
    MPI_Datatype vector;
    MPI_Type_vector(4, 1, 2, MPI_INT, &vector);
    MPI_Type_commit(&vector);
    COUNT("comm_rank", "MPI_Comm_rank", MPI_Comm_rank(MPI_COMM_WORLD, &number));
    COUNT("comm_rank_dup", "MPI_Comm_rank", MPI_Comm_rank(copy, &number));
    COUNT("type_size", "MPI_Type_size", MPI_Type_size(MPI_DOUBLE, &number));
    COUNT("type_size_derived", "MPI_Type_size", MPI_Type_size(vector, &number));
    MPI_Type_free(&vector);
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

static void exchange_window(MPI_Comm comm, MPI_Status *statuses)
{
    MPI_Request requests[WINDOW];
    for (int i = 0; i < WINDOW / 2; i++)
        MPI_Irecv(to, 8, MPI_CHAR, 0, 1, comm, &requests[i]);
    for (int i = 0; i < WINDOW / 2; i++)
        MPI_Isend(from, 8, MPI_CHAR, 0, 1, comm, &requests[WINDOW / 2 + i]);
    MPI_Waitall(WINDOW, requests, statuses);
}

static void windows(MPI_Comm copy)
{
    MPI_Status statuses[WINDOW];
    BEGIN;
    for (int i = 0; i < CALLS / WINDOW; i++)
        exchange_window(MPI_COMM_WORLD, MPI_STATUSES_IGNORE);
    END("window", "MPI_Isend MPI_Irecv MPI_Waitall");
    BEGIN;
    for (int i = 0; i < CALLS / WINDOW; i++)
        exchange_window(copy, MPI_STATUSES_IGNORE);
    END("window_dup", "MPI_Isend MPI_Irecv MPI_Waitall");
    BEGIN;
    for (int i = 0; i < CALLS / WINDOW; i++)
        exchange_window(MPI_COMM_WORLD, statuses);
    END("window_statuses", "MPI_Isend MPI_Irecv MPI_Waitall");
}

static void messages(void)
{
    MPI_Request request;
    COUNT("sendrecv", "MPI_Sendrecv",
          MPI_Sendrecv(from, 8, MPI_CHAR, 0, 1, to, 8, MPI_CHAR, 0, 1, MPI_COMM_WORLD, &status));
    COUNT("iprobe", "MPI_Iprobe", MPI_Iprobe(0, 1, MPI_COMM_WORLD, &flag, &status));
    MPI_Isend(from, 8, MPI_CHAR, 0, 1, MPI_COMM_WORLD, &request);
    COUNT("iprobe_found", "MPI_Iprobe", MPI_Iprobe(0, 1, MPI_COMM_WORLD, &flag, &status));
    MPI_Recv(to, 8, MPI_CHAR, 0, 1, MPI_COMM_WORLD, &status);
    MPI_Wait(&request, &status);
}

int main(int argc, char **argv)
{
    MPI_Comm copy;
    MPI_Init(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    /* Twice: the first time binds symbols. */
    exchange_window(copy, MPI_STATUSES_IGNORE);
    CALLGRIND_START_INSTRUMENTATION;
    inquiries(copy);
    reductions();
    windows(copy);
    messages();
    CALLGRIND_STOP_INSTRUMENTATION;
    MPI_Comm_free(&copy);
    MPI_Finalize();
    return 0;
}
