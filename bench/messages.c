/* SPDX-License-Identifier: BSD-3-Clause */
/* messages: two ranks; rank 0 prints, for sizes from 1 B to 4 MiB, "latency/SIZE <tab> NS" of half a
 * ping-pong, and "bandwidth/SIZE <tab> MB/S" of bursts of nonblocking sends. */
#define _GNU_SOURCE
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LARGEST (4 << 20)
#define BURST 16
#define BATCHES 9
#define WORLD MPI_COMM_WORLD

static char *from, *to;
static int rank;

static void ping_pong(int size)
{
    if (rank == 0) {
        MPI_Send(from, size, MPI_CHAR, 1, 1, WORLD);
        MPI_Recv(to, size, MPI_CHAR, 1, 1, WORLD, MPI_STATUS_IGNORE);
    } else {
        MPI_Recv(to, size, MPI_CHAR, 0, 1, WORLD, MPI_STATUS_IGNORE);
        MPI_Send(from, size, MPI_CHAR, 0, 1, WORLD);
    }
}

/* Rank 0 sends messages at once, and rank 1 answers with one byte. */
static void burst(int size)
{
    MPI_Request requests[BURST];
    for (int i = 0; i < BURST; i++)
        if (rank == 0)
            MPI_Isend(from, size, MPI_CHAR, 1, 2, WORLD, requests + i);
        else
            MPI_Irecv(to, size, MPI_CHAR, 0, 2, WORLD, requests + i);
    MPI_Waitall(BURST, requests, MPI_STATUSES_IGNORE);
    if (rank == 0)
        MPI_Recv(to, 1, MPI_CHAR, 1, 3, WORLD, MPI_STATUS_IGNORE);
    else
        MPI_Send(from, 1, MPI_CHAR, 0, 3, WORLD);
}

static int compare(const void *one, const void *other)
{
    double a = *(const double *)one, b = *(const double *)other;
    return (a > b) - (a < b);
}

/* Seconds that one exchange takes: the median of batches, after one to warm up. */
static double measure(void (*exchange)(int), int size, int repeated)
{
    double times[BATCHES + 1];
    for (int batch = 0; batch <= BATCHES; batch++) {
        MPI_Barrier(WORLD);
        double began = MPI_Wtime();
        for (int i = 0; i < repeated; i++)
            exchange(size);
        times[batch] = (MPI_Wtime() - began) / repeated;
    }
    qsort(times + 1, BATCHES, sizeof *times, compare);
    return times[1 + BATCHES / 2];
}

/* About as many bytes for each size, within reason. */
static int repetitions(int size, int most)
{
    int fitting = LARGEST / 2 / size;
    return fitting > most ? most : fitting > 0 ? fitting : 1;
}

int main(int argc, char **argv)
{
    int size, ranks, most = argc > 1 ? atoi(argv[1]) : 200;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(WORLD, &rank);
    MPI_Comm_size(WORLD, &ranks);
    from = malloc(LARGEST);
    to = malloc(LARGEST);
    if (ranks != 2 || !from || !to || most < 1)
        MPI_Abort(WORLD, 1);
    memset(from, 1, LARGEST);
    memset(to, 2, LARGEST);
    for (size = 1; size <= LARGEST; size *= 4) {
        double latency = measure(ping_pong, size, repetitions(size, most)) / 2;
        double seconds = measure(burst, size, repetitions(size * BURST, most / 4 + 1));
        if (rank == 0)
            printf("latency/%d\t%.1f\nbandwidth/%d\t%.3f\n", size, 1e9 * latency, size,
                   BURST * (double)size / seconds / 1e6);
    }
    free(from);
    free(to);
    MPI_Finalize();
    return 0;
}
