/* SPDX-License-Identifier: BSD-3-Clause */
#include "layers/layers.h"

#include <stdio.h>
#include <string.h>
#if !defined __x86_64__
#include <errno.h>
#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

#include "layers/lock.h"

const struct host_procedures *host_itself = &host;

/* In the order of the enum. A stand-in is called by its name where the host's would be. */
static const char layer_names[] = "host\0tool\0workaround\0trace\0launch info\0file name\0datatype\0life\0early\0buffer\0new communicator\0"
                                  "session's communicator\0partitioned\0lifetime\0world\0native\0isolation\0refusal";

static struct layer_part *parts[LAYERS];
static unsigned char lacking[HOST_PROCEDURES / 8 + 1];

/* Guards `parts` and all links. No other lock is taken under it. Whoever calls a procedure takes none. */
LOCK(layers);

static struct layer_link *links_of(struct layer_part *part)
{
    return (struct layer_link *)(void *)(part + 1);
}

static struct layer_link *find_link(enum layer layer, int procedure)
{
    for (struct layer_part *part = parts[layer]; part; part = part->older)
        for (uint32_t i = 0; i < part->links; i++)
            if (links_of(part)[i].number == (uint32_t)procedure + 1)
                return &links_of(part)[i];
    return 0;
}

/* Returns the place where the next layer outwards finds the next function inwards: its link, or the table. */
static mpi_function **place_around(enum layer layer, int procedure)
{
    struct layer_link *link = 0;
    for (int outer = layer + 1; outer < LAYERS && !link; outer++)
        link = parts[outer] ? find_link((enum layer)outer, procedure) : 0;
    return link ? &link->next : (mpi_function **)(void *)&host + procedure;
}

/* A thread that finds a function finds its link complete: all threads pass a barrier between the two stores. Where loads do not pass
 * one another, none is needed; nothing else orders a load after a call through a pointer. */
static void order_readers(void)
{
#if !defined __x86_64__
    int before = errno;
    if (syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0) != 0 && errno == EPERM &&
        syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0) == 0)
        syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0);
    errno = before;
#endif
}

static void publish_function(mpi_function **place, mpi_function *function)
{
    __atomic_store_n(place, function, __ATOMIC_RELEASE);
}

static void add_part(enum layer layer, struct layer_part *part, size_t links)
{
    if (part->links)
        return;
    *part = (struct layer_part){ parts[layer], (uint32_t)links };
    parts[layer] = part;
}

static void install_one(enum layer layer, const struct override *override)
{
    mpi_function **place = place_around(layer, override->procedure);
    if (find_link(layer, override->procedure))
        return;
    publish_function(&override->link->next, *place);
    override->link->number = (uint32_t)override->procedure + 1;
    order_readers();
    publish_function(place, override->ours);
}

void layer_install(enum layer layer, struct layer_part *part, size_t links, const struct override *overrides, size_t count)
{
    take_lock(layers);
    add_part(layer, part, links);
    for (size_t i = 0; i < count; i++)
        install_one(layer, &overrides[i]);
    release_lock(layers);
}

static void remove_one(enum layer layer, struct layer_link *link)
{
    if (link->number)
        publish_function(place_around(layer, (int)link->number - 1), link->next);
    link->number = 0;
}

void layer_remove(enum layer layer, struct layer_part *part)
{
    take_lock(layers);
    for (uint32_t i = 0; i < part->links; i++)
        remove_one(layer, &links_of(part)[i]);
    release_lock(layers);
}

mpi_function *layer_within(enum layer layer, int procedure)
{
    take_lock(layers);
    mpi_function *within = *place_around((enum layer)(layer - 1), procedure);
    release_lock(layers);
    return within;
}

void layer_host(int procedure, mpi_function *function, int is_stand_in)
{
    ((mpi_function **)(void *)&host)[procedure] = function;
    if (is_stand_in)
        lacking[procedure / 8] |= (unsigned char)(1 << procedure % 8);
}

int layer_host_lacks(int procedure)
{
    return lacking[procedure / 8] >> procedure % 8 & 1;
}

void layer_describe(int procedure, char *text, size_t size)
{
    const char *names[LAYERS], *name = layer_names;
    size_t length = 0;
    for (int layer = 0; layer < LAYERS; layer++, name += strlen(name) + 1)
        names[layer] = name;
    take_lock(layers);
    for (int layer = LAYERS - 1; layer > LAYER_HOST && length < size; layer--)
        if (find_link((enum layer)layer, procedure))
            length += (size_t)snprintf(text + length, size - length, "%s, ", names[layer]);
    release_lock(layers);
    if (length < size)
        snprintf(text + length, size - length, "%s", layer_host_lacks(procedure) ? "stand-in" : names[LAYER_HOST]);
}

void layer_keep_from_tools(void)
{
    static struct host_procedures without_tools;
    without_tools = host;
    host_itself = &without_tools;
}
