/* SPDX-License-Identifier: BSD-3-Clause */
/* The resident memory of a process in KiB: to the page, which /proc/self/statm is not, as processors count on their own for
 * a while. -1 if it is not known. */
#ifndef RESIDENT_H
#define RESIDENT_H

#include <stdio.h>

static long resident(void)
{
    long kib = -1;
    char line[200];
    FILE *file = fopen("/proc/self/smaps_rollup", "r");
    while (file && fgets(line, sizeof line, file) && sscanf(line, "Rss: %ld kB", &kib) != 1)
        ;
    if (file)
        fclose(file);
    return kib;
}

#endif
