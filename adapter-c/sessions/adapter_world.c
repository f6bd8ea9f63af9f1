/* SPDX-License-Identifier: BSD-3-Clause */
#include "sessions/adapter_world.h"

#include <stdlib.h>

#include "convert/host_side.h"
#include "layers/lock.h"
#include "layers/layers.h"
#include "callbacks/duplicated_comm.h"
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

/* The attribute of a communicator that has a number. */
struct numbered {
    uint64_t number;
    uint64_t begun; /* how many of its duplicates MPI_Comm_idup() began */
};

/* Each number leads to another one. */
static uint64_t scramble(uint64_t number)
{
    number = (number + 0x632be59bd9b4e019u) * 0x9e3779b97f4a7c15u;
    number = (number ^ number >> 32) * 0xd6e8feb86659fd93u;
    return number ^ number >> 29;
}

/* Ranks and counts are equal now and then, and must not cancel each other out. */
static uint64_t mix(uint64_t number, uint64_t with)
{
    return scramble(scramble(number) ^ with);
}

/* Returns whether all of a group are of this world. Frees the group. */
static int is_of_this_world(host_group group)
{
    host_group others;
    int size = -1;
    if (host_itself->MPI_Group_difference(group, world.group, &others) == 0) {
        host_itself->MPI_Group_size(others, &size);
        host_itself->MPI_Group_free(&others);
    }
    host_itself->MPI_Group_free(&group);
    return size == 0;
}

static int has_only_this_world(host_comm comm, int inter)
{
    host_group group;
    return host_itself->MPI_Comm_group(comm, &group) == 0 && is_of_this_world(group) &&
           (!inter || (host_itself->MPI_Comm_remote_group(comm, &group) == 0 && is_of_this_world(group)));
}

/* Returns a number that no other process of this world proposes, and this one only once. */
static uint64_t propose(void)
{
    static uint64_t proposals;
    int rank = 0;
    host_itself->MPI_Comm_rank(world.comm, &rank);
    return mix(mix(3, (uint64_t)rank), __atomic_add_fetch(&proposals, 1, __ATOMIC_RELAXED)) | 1;
}

/* Sets *number to the greatest number of the other group. */
static host_code exchange_numbers(host_comm inter, uint64_t *number)
{
    uint64_t mine = *number;
    return host_itself->MPI_Allreduce(&mine, number, 1, HOST_MPI_UINT64_T, HOST_MPI_MAX, inter);
}

/* Returns a number on which all processes of a new communicator agree, by messages there: the program does not know the communicator
 * yet. Returns 0 if a process is of another world, or the messages fail. */
static uint64_t agree_on_number(host_comm made)
{
    uint64_t number = propose(), ours;
    int inter = 0;
    host_itself->MPI_Comm_test_inter(made, &inter);
    if (!has_only_this_world(made, inter))
        return 0;
    if (!inter)
        return host_itself->MPI_Bcast(&number, sizeof number, HOST_MPI_BYTE, 0, made) == 0 ? number : 0;
    host_code rc = exchange_numbers(made, &number);
    ours = number;
    if (rc == 0)
        rc = exchange_numbers(made, &ours);
    return rc == 0 ? (mix(number, 1) + mix(ours, 1)) | 1 : 0;
}

static struct numbered *find_numbered(host_comm comm)
{
    void *found = 0;
    int is_there = 0;
    return host.MPI_Comm_get_attr(comm, world.keyval, &found, &is_there) == 0 && is_there ? found : 0;
}

uint64_t adapter_world_number(host_comm comm)
{
    const struct numbered *found = find_numbered(comm);
    return found ? found->number : 0;
}

static void set_number(host_comm comm, uint64_t number)
{
    struct numbered *made = number ? calloc(1, sizeof *made) : 0;
    if (!made)
        return;
    made->number = number;
    if (host.MPI_Comm_set_attr(comm, world.keyval, made) != 0)
        free(made);
}

static int delete_number(host_comm comm, int keyval, void *numbered, void *state)
{
    free(numbered);
    return HOST_MPI_SUCCESS;
}

static void number_new(host_comm made, host_comm from, int tag)
{
    set_number(made, agree_on_number(made));
}

/* ---- duplicates ---- */

#define DUPLICATES_NUMBERED(each) \
    each(MPI_Comm_dup) each(MPI_Comm_dup_with_info) each(MPI_Comm_idup)
LAYER_PART(numbered_duplicates, DUPLICATES_NUMBERED);

/* The attribute of the duplicate that this thread begins, until the host has copied attributes. Copy functions of the program may
 * duplicate others meanwhile. */
static _Thread_local struct numbered *beginning;

static int copy_number(host_comm comm, int keyval, void *state, void *from, void *made, int *flag)
{
    *flag = beginning && is_duplicated(comm);
    if (*flag) {
        *(void **)made = beginning;
        beginning = 0;
    }
    return HOST_MPI_SUCCESS;
}

static host_code number_duplicate(host_code rc, const host_comm *made, struct numbered *outer)
{
    beginning = outer;
    if (rc == 0)
        number_new(*made, *made, 0);
    return rc;
}

static int numbered_MPI_Comm_dup(host_comm comm, host_comm *newcomm)
{
    struct numbered *outer = beginning;
    beginning = 0;
    return number_duplicate(NEXT(numbered_duplicates, MPI_Comm_dup)(comm, newcomm), newcomm, outer);
}

static int numbered_MPI_Comm_dup_with_info(host_comm comm, host_info info, host_comm *newcomm)
{
    struct numbered *outer = beginning;
    beginning = 0;
    return number_duplicate(NEXT(numbered_duplicates, MPI_Comm_dup_with_info)(comm, info, newcomm), newcomm, outer);
}

/* Nobody may wait here, and messages cannot be sent yet. So the number follows from the communicator's, and from how many of its
 * duplicates were begun. All processes count the same calls: those that succeeded, whenever the host calls copy functions. */
static int numbered_MPI_Comm_idup(host_comm comm, host_comm *newcomm, host_request *request)
{
    struct numbered *outer = beginning, *parent = find_numbered(comm), *made = parent ? calloc(1, sizeof *made) : 0;
    beginning = made;
    host_code rc = NEXT(numbered_duplicates, MPI_Comm_idup)(comm, newcomm, request);
    if (beginning == made && made)
        free(made);
    else if (rc == 0 && made)
        made->number = mix(parent->number, ++parent->begun) | 1;
    beginning = outer;
    return rc;
}

/* ---- at initialization ---- */

/* Returns the same in all processes. Those of another program may run without the adapter, and join no call of ours, so they cannot
 * be asked. */
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
        rc = own->MPI_Comm_create_keyval((mpi_function *)copy_number, (mpi_function *)delete_number, &world.keyval, 0);
    world.is_made = rc == 0;
    return rc;
}

/* MPI may have been started for a session, and the program's MPI_Init has then nothing left to do. */
void adapter_world_begin(void)
{
    static int begun;
    if (begun++ || !HOST_LACKS(MPI_Psend_init) || !is_wanted() || make_world() != 0)
        return;
    set_number(HOST_MPI_COMM_WORLD, 1);
    set_number(HOST_MPI_COMM_SELF, 2);
    tell_of_new_comms(number_new);
    notice_duplicates();
#define NUMBERED(name) OVERRIDE(numbered_duplicates, name, numbered_##name),
    LAYER_INSTALL(LAYER_NEW_COMM, numbered_duplicates, DUPLICATES_NUMBERED(NUMBERED));
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
