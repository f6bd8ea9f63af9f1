/* SPDX-License-Identifier: BSD-3-Clause */
/* startup: rank 0 prints when, by the monotonic clock in ns, the last rank left MPI_Init, and in KiB
 * what of its own memory was resident then: all, what no other process has, and what is dirty. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

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

int main(int argc, char **argv)
{
    struct timespec time;
    long long mine, last;
    long resident, clean, dirty;
    int rank;
    MPI_Init(&argc, &argv);
    clock_gettime(CLOCK_MONOTONIC, &time);
    mine = time.tv_sec * 1000000000LL + time.tv_nsec;
    resident = memory("Rss");
    clean = memory("Private_Clean");
    dirty = memory("Private_Dirty");
    MPI_Reduce(&mine, &last, 1, MPI_LONG_LONG, MPI_MAX, 0, MPI_COMM_WORLD);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        printf("time\t%lld\nresident\t%ld\nprivate\t%ld\ndirty\t%ld\n", last, resident, clean + dirty, dirty);
    MPI_Finalize();
    return 0;
}
