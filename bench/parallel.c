/* SPDX-License-Identifier: BSD-3-Clause */
/* parallel THREADS: CPU time in ns of a call, in every thread of every process at the same time;
 * rank 0 prints "KIND <tab> NS", the median over all. Each thread has a communicator of its own and
 * talks to itself. */
#define _GNU_SOURCE
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define WINDOW 16
#define BATCHES 15
enum { INQUIRY, EXCHANGE, KINDS };

static const char *const names[KINDS] = { "comm_rank", "window" };
static const int calls[KINDS] = { 20000, 1600 };

struct worker {
    pthread_t thread;
    MPI_Comm comm;
    double times[KINDS];
};

static pthread_barrier_t together;

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return 1e9 * (double)time.tv_sec + (double)time.tv_nsec;
}

static void inquiry(MPI_Comm comm)
{
    int rank;
    for (int i = 0; i < calls[INQUIRY]; i++)
        MPI_Comm_rank(comm, &rank);
}

static void exchange(MPI_Comm comm)
{
    MPI_Request requests[WINDOW];
    char from[8] = "", to[8];
    for (int done = 0; done < calls[EXCHANGE]; done += WINDOW) {
        for (int i = 0; i < WINDOW / 2; i++)
            MPI_Irecv(to, 8, MPI_CHAR, 0, 1, comm, requests + i);
        for (int i = WINDOW / 2; i < WINDOW; i++)
            MPI_Isend(from, 8, MPI_CHAR, 0, 1, comm, requests + i);
        MPI_Waitall(WINDOW, requests, MPI_STATUSES_IGNORE);
    }
}

static int compare(const void *one, const void *other)
{
    double a = *(const double *)one, b = *(const double *)other;
    return (a > b) - (a < b);
}

static double median(double *values, int count)
{
    qsort(values, (size_t)count, sizeof *values, compare);
    return (values[(count - 1) / 2] + values[count / 2]) / 2;
}

static void *work(void *argument)
{
    struct worker *worker = argument;
    for (int kind = 0; kind < KINDS; kind++) {
        double batches[BATCHES];
        pthread_barrier_wait(&together);
        for (int i = 0; i < BATCHES; i++) {
            double began = now();
            (kind == INQUIRY ? inquiry : exchange)(worker->comm);
            batches[i] = (now() - began) / calls[kind];
        }
        worker->times[kind] = median(batches, BATCHES);
    }
    return 0;
}

/* Reports the calls of one kind, over the threads of all processes. */
static void report(int kind, const struct worker *workers, int threads)
{
    int rank, size;
    double *mine = malloc((size_t)threads * sizeof *mine), *all = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0)
        all = malloc((size_t)threads * (size_t)size * sizeof *all);
    for (int i = 0; i < threads; i++)
        mine[i] = workers[i].times[kind];
    MPI_Gather(mine, threads, MPI_DOUBLE, all, threads, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%s\t%.2f\n", names[kind], median(all, threads * size));
    free(mine);
    free(all);
}

int main(int argc, char **argv)
{
    int threads = argc > 1 ? atoi(argv[1]) : 1, provided;
    MPI_Init_thread(&argc, &argv, threads > 1 ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &provided);
    if (threads < 1 || (threads > 1 && provided < MPI_THREAD_MULTIPLE))
        MPI_Abort(MPI_COMM_WORLD, 1);
    struct worker *workers = calloc((size_t)threads, sizeof *workers);
    pthread_barrier_init(&together, 0, (unsigned)threads);
    for (int i = 0; i < threads; i++)
        MPI_Comm_dup(MPI_COMM_SELF, &workers[i].comm);
    for (int i = 1; i < threads; i++)
        pthread_create(&workers[i].thread, 0, work, workers + i);
    MPI_Barrier(MPI_COMM_WORLD);
    work(workers);
    for (int i = 1; i < threads; i++)
        pthread_join(workers[i].thread, 0);
    for (int kind = 0; kind < KINDS; kind++)
        report(kind, workers, threads);
    for (int i = 0; i < threads; i++)
        MPI_Comm_free(&workers[i].comm);
    free(workers);
    MPI_Finalize();
    return 0;
}
