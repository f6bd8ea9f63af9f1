/* SPDX-License-Identifier: BSD-3-Clause */
#include "stand_ins/resource.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "convert/host_side.h"
#include "convert/say.h"
#include "layers/layers.h"

#define CPU "/sys/devices/system/cpu/cpu%d/"
enum { CACHES = 8, NODES = 1024 };

/* Returns the number that a file of the kernel begins with, or -1. */
static int number_in(const char *path)
{
    FILE *file = fopen(path, "re");
    int number = -1;
    if (file && fscanf(file, "%d", &number) != 1)
        number = -1;
    if (file)
        fclose(file);
    return number;
}

static int first_of(int cpu, const char *part)
{
    char path[128];
    snprintf(path, sizeof path, CPU "%s", cpu, part);
    return number_in(path);
}

/* Caches of instructions have the same level as those of data, and the same processors. */
static int first_of_cache(int cpu, int level)
{
    char part[64];
    for (int i = 0; i < CACHES; i++) {
        snprintf(part, sizeof part, "cache/index%d/level", i);
        if (first_of(cpu, part) != level)
            continue;
        snprintf(part, sizeof part, "cache/index%d/shared_cpu_list", i);
        return first_of(cpu, part);
    }
    return -1;
}

static int memory_of(int cpu)
{
    char path[128];
    for (int node = 0; node < NODES; node++) {
        snprintf(path, sizeof path, CPU "node%d", cpu, node);
        if (access(path, F_OK) == 0)
            return node;
    }
    return -1;
}

/* Identifies a processor's resource; 0 for all where the kernel does not say. */
static int resource_of(int cpu, enum resource resource)
{
    int found = cpu;
    switch (resource) {
    case RESOURCE_THREAD: break;
    case RESOURCE_CORE: found = first_of(cpu, "topology/thread_siblings_list"); break;
    case RESOURCE_CACHE1: found = first_of_cache(cpu, 1); break;
    case RESOURCE_CACHE2: found = first_of_cache(cpu, 2); break;
    case RESOURCE_CACHE3: found = first_of_cache(cpu, 3); break;
    case RESOURCE_PACKAGE: found = first_of(cpu, "topology/core_siblings_list"); break;
    case RESOURCE_MEMORY: found = memory_of(cpu); break;
    case RESOURCE_NODE:
    case RESOURCE_DIRECTORY: found = 0; break;
    }
    return found < 0 || found >= CPU_SETSIZE ? 0 : found;
}

/* The resources of all processors that this process may run on. */
static void find_own(cpu_set_t *own, enum resource resource)
{
    cpu_set_t allowed;
    CPU_ZERO(own);
    CPU_ZERO(&allowed);
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0)
        CPU_SET(0, own);
    for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
        if (CPU_ISSET(cpu, &allowed))
            CPU_SET(resource_of(cpu, resource), own);
}

/* The first process that shares a resource with this one: itself, if no other does. */
static int first_sharer(const cpu_set_t *all, const cpu_set_t *own)
{
    for (int rank = 0;; rank++) {
        cpu_set_t both;
        CPU_AND(&both, &all[rank], own);
        if (CPU_COUNT(&both) > 0)
            return rank;
    }
}

/* Splits the communicator of a node. */
static int split_node(host_comm node, enum resource resource, host_comm *newcomm)
{
    cpu_set_t own, *all;
    int rank, size, rc;
    if ((rc = host.MPI_Comm_size(node, &size)) != 0 || (rc = host.MPI_Comm_rank(node, &rank)) != 0)
        return rc;
    all = malloc((size_t)size * sizeof *all);
    if (!all)
        give_up_memory("in MPI_Comm_split_type");
    find_own(&own, resource);
    rc = host.MPI_Allgather(&own, (int)sizeof own, HOST_MPI_BYTE, all, (int)sizeof own, HOST_MPI_BYTE, node);
    if (rc == 0)
        rc = host.MPI_Comm_split(node, first_sharer(all, &own), rank, newcomm);
    free(all);
    return rc;
}

int resource_split(host_comm comm, enum resource resource, int key, host_info info, host_comm *newcomm)
{
    host_comm node;
    int rc = host.MPI_Comm_split_type(comm, HOST_MPI_COMM_TYPE_SHARED, key, info, &node);
    if (rc != 0 || resource == RESOURCE_NODE) {
        *newcomm = node;
        return rc;
    }
    rc = split_node(node, resource, newcomm);
    host.MPI_Comm_free(&node);
    return rc;
}
