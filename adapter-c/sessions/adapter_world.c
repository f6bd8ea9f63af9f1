/* SPDX-License-Identifier: BSD-3-Clause */
#include "sessions/adapter_world.h"

#include <stdlib.h>

#include "convert/host_side.h"
#include "layers/lock.h"
#include "layers/layers.h"
#include "convert/index.h"
#include "sessions/new_comm.h"
#include "process/environment.h"
#include "process/launcher.h"
#include "start/mention.h"

#define SETTING "MPI_ADAPTER_PARTITIONED"

static struct {
    host_comm comm;
    host_group group; /* MPI_COMM_WORLD's */
    int keyval;       /* of the attribute that is a communicator's number */
    int is_made;
} world;

int adapter_world_is_made(void)
{
    return world.is_made;
}

host_comm adapter_world(void)
{
    return world.comm;
}

/* ---- numbers ---- */

/* How often a number was derived from the same facts. */
struct derived {
    struct index_entry entry;
    uint64_t times;
};

static struct index derived;
LOCK(derived_comms);

/* Each number leads to another one. */
static uint64_t scramble(uint64_t number)
{
    number = (number + 0x632be59bd9b4e019u) * 0x9e3779b97f4a7c15u;
    number = (number ^ number >> 32) * 0xd6e8feb86659fd93u;
    return number ^ number >> 29;
}

/* Numbers of communicators, sizes and ranks are equal now and then, and must not cancel each other out. */
static uint64_t mix(uint64_t number, uint64_t with)
{
    return scramble(scramble(number) ^ with);
}

/* The number of the next communicator that is made in this way: calls that make communicators are collective, so that
 * all processes of these make them in the same order. 0 if memory runs out. */
static uint64_t derive(uint64_t from)
{
    uint64_t number = 0;
    take_lock(derived_comms);
    struct derived *found = (struct derived *)*index_find(&derived, (intptr_t)from);
    if (!found)
        found = index_new(&derived, (intptr_t)from, sizeof *found);
    if (found)
        number = mix(from, ++found->times) | 1;
    release_lock(derived_comms);
    return number;
}

/* A number for the processes of a group, in their order; 0 if one is of another world. Frees the group. */
static uint64_t number_of_group(host_group group)
{
    int size = 0;
    host.MPI_Group_size(group, &size);
    int *ranks = malloc((size_t)size * 2 * sizeof *ranks + 1);
    uint64_t number = ranks ? (uint64_t)size + 1 : 0;
    for (int i = 0; ranks && i < size; i++)
        ranks[i] = i;
    if (ranks && host.MPI_Group_translate_ranks(group, size, ranks, world.group, ranks + size) != 0)
        number = 0;
    for (int i = 0; number && i < size; i++)
        number = ranks[size + i] < 0 ? 0 : mix(number, (uint64_t)ranks[size + i]) | 1;
    free(ranks);
    host.MPI_Group_free(&group);
    return number;
}

/* The same for a communicator, alike on both sides of an inter-communicator. */
static uint64_t number_of_members(host_comm comm)
{
    host_group group;
    int inter = 0;
    uint64_t local = host.MPI_Comm_group(comm, &group) == 0 ? number_of_group(group) : 0;
    host.MPI_Comm_test_inter(comm, &inter);
    if (!inter || !local)
        return local;
    uint64_t remote = host.MPI_Comm_remote_group(comm, &group) == 0 ? number_of_group(group) : 0;
    return remote ? mix(local, 1) + mix(remote, 1) : 0;
}

uint64_t adapter_world_number(host_comm comm)
{
    void *number = 0;
    int found = 0;
    return host.MPI_Comm_get_attr(comm, world.keyval, &number, &found) == 0 && found ? (uint64_t)number : 0;
}

static void set_number(host_comm comm, uint64_t number)
{
    if (number)
        host.MPI_Comm_set_attr(comm, world.keyval, (void *)number);
}

/* Gives a communicator its number, which comes from that of another one, from its members, and from a tag. */
static void number_comm(host_comm made, uint64_t from, int tag)
{
    if (!from)
        return;
    uint64_t members = number_of_members(made);
    set_number(made, members ? derive(mix(mix(from, members), (uint64_t)tag)) : 0);
}

/* Duplicates get their numbers while the host copies attributes: so do those whose making goes on. */
static int copy_number(host_comm comm, int keyval, void *state, void *from, void *made, int *flag)
{
    *(void **)made = (void *)derive(mix((uint64_t)from, 1));
    *flag = 1;
    return HOST_MPI_SUCCESS;
}

/* An inter-communicator is made of two communicators, one on each side: its number, alike on both, comes from neither. */
static void number_new(host_comm made, host_comm from, int tag)
{
    int inter = 0, was_inter = 0;
    host.MPI_Comm_test_inter(made, &inter);
    host.MPI_Comm_test_inter(from, &was_inter);
    number_comm(made, inter && !was_inter ? 1 : adapter_world_number(from), tag);
}

/* ---- at initialization ---- */

/* True in all processes or in none. Those of another program may run without the adapter, and join no call of ours: they
 * cannot be asked. */
static int is_wanted(void)
{
    int size = 1;
    const char *setting = environment_setting(SETTING);
    if (setting && *setting)
        return environment_wanted(SETTING) != 0;
    host_itself->MPI_Comm_size(HOST_MPI_COMM_WORLD, &size);
    return (size == 1 || launcher_programs() == 1) && program_mentions(SETTING, "psend_init");
}

static int make_world(void)
{
    const struct host_procedures *own = host_itself;
    host_code rc = own->MPI_Comm_dup(HOST_MPI_COMM_WORLD, &world.comm);
    if (rc == 0)
        rc = own->MPI_Comm_set_errhandler(world.comm, HOST_MPI_ERRORS_RETURN);
    if (rc == 0)
        rc = own->MPI_Comm_group(HOST_MPI_COMM_WORLD, &world.group);
    if (rc == 0)
        rc = own->MPI_Comm_create_keyval((mpi_function *)copy_number, (mpi_function *)HOST_MPI_COMM_NULL_DELETE_FN,
                                         &world.keyval, 0);
    world.is_made = rc == 0;
    return rc;
}

/* All communicators that get a number come from these two. MPI may have been started for a session, and the program's
 * MPI_Init has then nothing left to do. */
AT_START void adapter_world_begin(void)
{
    static int begun;
    if (begun++ || !HOST_LACKS(MPI_Psend_init) || !is_wanted() || make_world() != 0)
        return;
    set_number(HOST_MPI_COMM_WORLD, 1);
    set_number(HOST_MPI_COMM_SELF, 2);
    tell_of_new_comms(number_new);
}

int adapter_world_rank(host_comm comm, int rank)
{
    host_group group;
    int inter = 0, found = HOST_MPI_UNDEFINED;
    if (rank == HOST_MPI_PROC_NULL)
        return rank;
    host.MPI_Comm_test_inter(comm, &inter);
    if ((inter ? host.MPI_Comm_remote_group(comm, &group) : host.MPI_Comm_group(comm, &group)) != 0)
        return found;
    host.MPI_Group_translate_ranks(group, 1, &rank, world.group, &found);
    host.MPI_Group_free(&group);
    return found;
}
