/* SPDX-License-Identifier: BSD-3-Clause */
/* The resident memory of a process in KiB that is no file's: anonymous memory and shared memory. Pages of libraries come when
 * code is first run, and as many beside them as the kernel thinks fit. To the page, which /proc/self/statm is not, as
 * processors count on their own for a while. -1 if it is not known. */
#ifndef RESIDENT_H
#define RESIDENT_H

#include <stdio.h>

static long resident(void)
{
    long kib = -1, shared = 0;
    char line[200];
    FILE *file = fopen("/proc/self/smaps_rollup", "r");
    while (file && fgets(line, sizeof line, file)) {
        sscanf(line, "Anonymous: %ld kB", &kib);
        sscanf(line, "Pss_Shmem: %ld kB", &shared);
    }
    if (file)
        fclose(file);
    return kib < 0 ? -1 : kib + shared;
}

#endif
