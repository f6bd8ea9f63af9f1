/* SPDX-License-Identifier: BSD-3-Clause */
/* scaling [MOST]: how the cost of a call grows with numbers from 1 to MOST; one process, kinds
 * KIND/NUMBER as counted.h counts them:
 *   waitall/N            a request of N that one MPI_Waitall completes
 *   comms/N, new_comm/N  a use of one of N live communicators; making and freeing one beside them
 *   types/N, new_type/N  the same of datatypes
 *   ops/N, new_op/N      the same of operations
 *   alltoallws/N         a collective with arrays begun and completed while N are pending */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#include "counted.h"

#define CALLS 1000
#define WORLD MPI_COMM_WORLD

static char from[8], to[8];
static int number;

static void *room(int count, size_t size)
{
    void *memory = malloc((size_t)count * size);
    if (!memory)
        MPI_Abort(WORLD, 1);
    return memory;
}

static void begin(const char *kind, const char *procedures, int live, int calls)
{
    char name[64];
    snprintf(name, sizeof name, "%s/%d", kind, live);
    counted_begin(name, procedures, calls);
}

static void waitall(int count)
{
    MPI_Request *requests = room(count, sizeof *requests);
    int calls = counted_calls(CALLS), repeated = count < calls ? calls / count : 1;
    begin("waitall", "MPI_Irecv MPI_Waitall", count, repeated * count);
    while (counted_batch())
        for (int i = 0; i < repeated; i++) {
            for (int k = 0; k < count; k++)
                MPI_Irecv(to, 8, MPI_CHAR, MPI_PROC_NULL, 1, WORLD, requests + k);
            MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
        }
    free(requests);
}

/* As many as the host allows, up to `count`. */
static int make_comms(MPI_Comm *comms, int count)
{
    int made = 0;
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    while (made < count && MPI_Comm_dup(MPI_COMM_SELF, comms + made) == MPI_SUCCESS)
        made++;
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL);
    return made;
}

/* Live objects are used one after another, so that no two calls need the same memory. */
#define USE(kind, procedures, count, call)                                                         \
    do {                                                                                           \
        int next = 0, calls = counted_calls(CALLS);                                                \
        begin(kind, procedures, count, calls);                                                     \
        while (counted_batch())                                                                    \
            for (int i = 0; i < calls; i++) {                                                      \
                call;                                                                              \
                next = next + 1 < (count) ? next + 1 : 0;                                          \
            }                                                                                      \
    } while (0)

/* Zero if the host does not allow so many. */
static int comms(int count)
{
    MPI_Comm *live = room(count, sizeof *live), another;
    int made = make_comms(live, count), allowed = made == count;
    if (allowed) {
        USE("comms", "MPI_Comm_rank", count, MPI_Comm_rank(live[next], &number));
        MPI_Comm_free(live + --made);
        USE("new_comm", "MPI_Comm_dup MPI_Comm_free", count,
            (MPI_Comm_dup(MPI_COMM_SELF, &another), MPI_Comm_free(&another)));
    }
    while (made > 0)
        MPI_Comm_free(live + --made);
    free(live);
    return allowed;
}

static void types(int count)
{
    MPI_Datatype *live = room(count, sizeof *live), another;
    for (int i = 0; i < count; i++)
        MPI_Type_contiguous(2, MPI_INT, live + i);
    USE("types", "MPI_Type_size", count, MPI_Type_size(live[next], &number));
    USE("new_type", "MPI_Type_contiguous MPI_Type_free", count,
        (MPI_Type_contiguous(2, MPI_INT, &another), MPI_Type_free(&another)));
    for (int i = 0; i < count; i++)
        MPI_Type_free(live + i);
    free(live);
}

static void nothing(void *in, void *inout, int *length, MPI_Datatype *datatype)
{
    (void)in, (void)inout, (void)length, (void)datatype;
}

static void ops(int count)
{
    MPI_Op *live = room(count, sizeof *live), another;
    int one = 1, sum = 0;
    for (int i = 0; i < count; i++)
        MPI_Op_create(nothing, 1, live + i);
    counted_callbacks(1);
    USE("ops", "MPI_Reduce_local", count, MPI_Reduce_local(&one, &sum, 1, MPI_INT, live[next]));
    counted_callbacks(0);
    USE("new_op", "MPI_Op_create MPI_Op_free", count, (MPI_Op_create(nothing, 1, &another), MPI_Op_free(&another)));
    for (int i = 0; i < count; i++)
        MPI_Op_free(live + i);
    free(live);
}

/* A collective operation with arrays keeps them until it is complete, found by its request. Each is completed in turn: hash
 * collisions depend on addresses, and only the mean over all does not. */
static void alltoallws(int count)
{
    int one = 1, zero = 0;
    MPI_Datatype type = MPI_INT;
    MPI_Request *pending = room(count, sizeof *pending);
    for (int i = 0; i < count; i++)
        MPI_Ialltoallw(from, &one, &zero, &type, to, &one, &zero, &type, MPI_COMM_SELF, pending + i);
    USE("alltoallws", "MPI_Ialltoallw MPI_Wait", count,
        (MPI_Wait(pending + next, MPI_STATUS_IGNORE),
         MPI_Ialltoallw(from, &one, &zero, &type, to, &one, &zero, &type, MPI_COMM_SELF, pending + next)));
    MPI_Waitall(count, pending, MPI_STATUSES_IGNORE);
    free(pending);
}

int main(int argc, char **argv)
{
    int allowed = 1, most = argc > 1 ? atoi(argv[1]) : 100000;
    MPI_Init(&argc, &argv);
    for (int count = 1; count <= most; count *= 10) {
        waitall(count);
        types(count);
        ops(count);
        alltoallws(count);
        allowed = allowed && comms(count);
    }
    MPI_Finalize();
    return 0;
}
