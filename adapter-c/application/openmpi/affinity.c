/* SPDX-License-Identifier: BSD-3-Clause */
/* OMPI_Affinity_str(): an extension of Open MPI that tells in words where the process runs. */
#include <sched.h>
#include <stdio.h>
#include <unistd.h>

#include "convert/adapter.h"

/* Each text has so much room, whatever its format. */
enum { ROOM = 1024, RESOURCES = 0, LAYOUT = 1 };

/* Appends a range of processors, if it fits. */
static int append_range(char *text, int length, int first, int last)
{
    char range[32];
    int size = first == last ? snprintf(range, sizeof range, "%s%d", length ? "," : "", first)
                             : snprintf(range, sizeof range, "%s%d-%d", length ? "," : "", first, last);
    if (length + size < ROOM - 64)
        length += snprintf(text + length, (size_t)(ROOM - length), "%s", range);
    return length;
}

static void list_processors(char *text, const cpu_set_t *set)
{
    int length = 0;
    text[0] = 0;
    for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
        int first = cpu;
        if (!CPU_ISSET(cpu, set))
            continue;
        while (cpu + 1 < CPU_SETSIZE && CPU_ISSET(cpu + 1, set))
            cpu++;
        length = append_range(text, length, first, cpu);
    }
}

/* In one line, a dot for each processor, and a letter for those that the process may run on. */
static void draw_processors(char *text, const cpu_set_t *set, int count)
{
    int length = 0;
    text[length++] = '[';
    for (int cpu = 0; cpu < count && length < ROOM - 2; cpu++)
        text[length++] = CPU_ISSET(cpu, set) ? 'B' : '.';
    text[length++] = ']';
    text[length] = 0;
}

/* The host's launcher bound the process, if anything did: what it did is what there is now. */
EXPORTED int OMPI_Affinity_str(int format, char bound[ROOM], char current[ROOM], char exists[ROOM])
{
    long processors = sysconf(_SC_NPROCESSORS_CONF);
    int count = processors < 1 ? 1 : processors > CPU_SETSIZE ? CPU_SETSIZE : (int)processors;
    cpu_set_t all, set;
    if ((format != RESOURCES && format != LAYOUT) || !bound || !current || !exists)
        return raise_error(HOST_MPI_ERR_ARG);
    CPU_ZERO(&all);
    for (int cpu = 0; cpu < count; cpu++)
        CPU_SET(cpu, &all);
    if (sched_getaffinity(0, sizeof set, &set) != 0)
        set = all;
    snprintf(bound, ROOM, "the host's launcher decides, not Open MPI's");
    if (format == LAYOUT) {
        draw_processors(current, &set, count);
        draw_processors(exists, &all, count);
    } else {
        list_processors(current, &set);
        list_processors(exists, &all);
    }
    return 0;
}
