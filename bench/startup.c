/* SPDX-License-Identifier: BSD-3-Clause */
/* startup: rank 0 prints when, by the monotonic clock in ns, the last rank left MPI_Init, how many ns of CPU time a rank
 * had used by then and how many pages it had touched for the first time, means over the ranks, and in KiB what of its own
 * memory was resident then: all, what no other process has, and what is dirty. With an argument it ends there instead. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

/* The sum of what /proc/self/smaps_rollup calls by a name. */
static long memory(const char *name)
{
    char line[256];
    long size = -1;
    FILE *file = fopen("/proc/self/smaps_rollup", "r");
    while (file && fgets(line, sizeof line, file))
        if (strncmp(line, name, strlen(name)) == 0 && sscanf(line + strlen(name), ": %ld", &size) == 1)
            break;
    if (file)
        fclose(file);
    return size;
}

/* By the clock, in ns. */
static long long now(clockid_t clock)
{
    struct timespec time;
    clock_gettime(clock, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

int main(int argc, char **argv)
{
    struct rusage usage;
    long long mine, last, used[2], sums[2];
    long resident, clean, dirty;
    int rank, size;
    MPI_Init(&argc, &argv);
    if (argc > 1)
        _exit(0);
    mine = now(CLOCK_MONOTONIC);
    used[0] = now(CLOCK_PROCESS_CPUTIME_ID);
    getrusage(RUSAGE_SELF, &usage);
    used[1] = usage.ru_minflt;
    resident = memory("Rss");
    clean = memory("Private_Clean");
    dirty = memory("Private_Dirty");
    MPI_Reduce(&mine, &last, 1, MPI_LONG_LONG, MPI_MAX, 0, MPI_COMM_WORLD);
    MPI_Reduce(used, sums, 2, MPI_LONG_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0)
        printf("time\t%lld\ncpu\t%lld\nfaults\t%lld\nresident\t%ld\nprivate\t%ld\ndirty\t%ld\n", last, sums[0] / size,
               sums[1] / size, resident, clean + dirty, dirty);
    MPI_Finalize();
    return 0;
}
