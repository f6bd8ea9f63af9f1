/* SPDX-License-Identifier: BSD-3-Clause */
#include "stand_ins/channel.h"

#include <pthread.h>
#include <stdlib.h>

#include "layers/lock.h"
#include "sessions/adapter_world.h"
#include "convert/host_side.h"
#include "layers/layers.h"

/* The tag of openings in adapter_world(); those of data are above. */
enum { OPENING_TAG };

LOCK(channels);
#define COMPLETION(each) each(MPI_Finalize)
LAYER_PART(completion, COMPLETION);

/* ---- sent, and not known to be complete ---- */

static struct sent {
    struct sent *next;
    host_request request;
    void *memory;
} *unfinished;
static size_t sent_count, sent_limit = 64; /* beyond the limit, those that are complete are looked for */

/* The lock is held. */
static void reap_sends(void)
{
    struct sent **link = &unfinished;
    while (*link) {
        struct sent *one = *link;
        int done = 0;
        if (host.MPI_Test(&one->request, &done, HOST_MPI_STATUS_IGNORE) == 0 && !done) {
            link = &one->next;
            continue;
        }
        *link = one->next;
        free(one->memory);
        free(one);
        sent_count--;
    }
    sent_limit = 2 * sent_count + 64;
}

/* Incomplete messages are being received by processes that have not finalized yet. */
static void complete_sent(void)
{
    take_lock(channels);
    for (struct sent *one = unfinished; one; one = unfinished) {
        host.MPI_Wait(&one->request, HOST_MPI_STATUS_IGNORE);
        unfinished = one->next;
        free(one->memory);
        free(one);
    }
    release_lock(channels);
}

/* Nothing is sent after this. */
static int completing_MPI_Finalize(void)
{
    complete_sent();
    host_code rc = NEXT(completion, MPI_Finalize)();
    layer_remove(LAYER_PARTITIONED, &completion.head);
    return rc;
}

static void install_completion(void)
{
    LAYER_INSTALL(LAYER_PARTITIONED, completion, OVERRIDE(completion, MPI_Finalize, completing_MPI_Finalize));
}

/* The first message installs the layer. */
static int send_message(void *memory, MPI_Count count, host_datatype datatype, int dest, int tag)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, install_completion);
    struct sent *one = malloc(sizeof *one);
    if (!one) {
        free(memory);
        return HOST_MPI_ERR_NO_MEM;
    }
    one->memory = memory;
    take_lock(channels);
    host_code rc = host.MPI_Isend_c(memory, count, datatype, dest, tag, adapter_world(), &one->request);
    if (rc == 0) {
        one->next = unfinished;
        unfinished = one;
        if (++sent_count > sent_limit)
            reap_sends();
    }
    release_lock(channels);
    if (rc != 0) {
        free(memory);
        free(one);
    }
    return rc;
}

int channel_send_packed(void *packed, MPI_Count bytes, int dest, int tag)
{
    return send_message(packed, bytes, HOST_MPI_PACKED, dest, tag);
}

/* ---- tags ---- */

/* Takes as many tags in a row as there are partitions. Returns the first; -1 if there are not so many. They are given out one after
 * the other, so that the tags of a freed request are used again as late as possible: its messages may not have been received yet. */
static int take_tags(int64_t count)
{
    static int64_t last_tag = OPENING_TAG;
    int *bound = 0, found = 0, first = -1;
    if (host.MPI_Comm_get_attr(adapter_world(), HOST_MPI_TAG_UB, &bound, &found) != 0 || !found || count > *bound)
        return -1;
    take_lock(channels);
    if (last_tag + count > *bound)
        last_tag = OPENING_TAG;
    first = (int)last_tag + 1;
    last_tag += count;
    release_lock(channels);
    return first;
}

/* ---- openings ---- */

/* An opening that no channel expects yet, or a channel whose opening has not come; null for a channel that is gone. */
struct waiting {
    struct waiting *next;
    int source;
    struct opening opening;
    struct channel *channel;
};
static struct queue {
    struct waiting *first, **end;
} openings = { 0, &openings.first }, channels = { 0, &channels.first };

/* Returns the link that leads to the first one for the same source, communicator and tag, or to null. */
static struct waiting **find_waiting(struct queue *queue, int source, const struct opening *opening)
{
    struct waiting **link = &queue->first;
    while (*link && ((*link)->source != source || (*link)->opening.comm != opening->comm ||
                     (*link)->opening.tag != opening->tag))
        link = &(*link)->next;
    return link;
}

/* Takes one out, and returns it. */
static struct waiting *take_waiting(struct queue *queue, struct waiting **link)
{
    struct waiting *taken = *link;
    if (!taken)
        return 0;
    *link = taken->next;
    if (queue->end == &taken->next)
        queue->end = link;
    return taken;
}

static int add_waiting(struct queue *queue, int source, const struct opening *opening, struct channel *channel)
{
    struct waiting *added = malloc(sizeof *added);
    if (!added)
        return HOST_MPI_ERR_NO_MEM;
    *added = (struct waiting){ 0, source, *opening, channel };
    *queue->end = added;
    queue->end = &added->next;
    return 0;
}

static void open_channel(struct channel *channel, const struct opening *opening)
{
    channel->opening = *opening;
    __atomic_store_n(&channel->is_open, 1, __ATOMIC_RELEASE);
}

int channel_is_open(const struct channel *channel)
{
    return __atomic_load_n(&channel->is_open, __ATOMIC_ACQUIRE);
}

/* Gives an opening that has come to its channel, or keeps it. The lock is held. */
static int admit_opening(int source, const struct opening *opening)
{
    struct waiting *expected = take_waiting(&channels, find_waiting(&channels, source, opening));
    if (!expected)
        return add_waiting(&openings, source, opening, 0);
    if (expected->channel)
        open_channel(expected->channel, opening);
    free(expected);
    return 0;
}

/* Takes no more openings than it has to: data that nobody has received lies between them, and the host searches it for each later
 * opening. */
int channel_progress(const struct channel *channel, int source)
{
    int there = 1, rc = 0;
    host_status status;
    struct opening opening;
    take_lock(channels);
    while (rc == 0 && there && !channel_is_open(channel)) {
        rc = host.MPI_Iprobe(source, OPENING_TAG, adapter_world(), &there, &status);
        if (rc == 0 && there)
            rc = host.MPI_Recv(&opening, sizeof opening, HOST_MPI_BYTE, source, OPENING_TAG, adapter_world(), &status);
        if (rc == 0 && there)
            rc = admit_opening(source, &opening);
    }
    release_lock(channels);
    return rc;
}

int channel_open(struct opening *opening, int dest)
{
    struct opening *message = malloc(sizeof *message);
    opening->first_tag = take_tags(opening->partitions);
    if (!message || opening->first_tag < 0) {
        free(message);
        return HOST_MPI_ERR_NO_MEM;
    }
    *message = *opening;
    return send_message(message, sizeof *message, HOST_MPI_BYTE, dest, OPENING_TAG);
}

int channel_expect(struct channel *channel, int source)
{
    int failed = 0;
    take_lock(channels);
    struct waiting *there = take_waiting(&openings, find_waiting(&openings, source, &channel->opening));
    if (there)
        open_channel(channel, &there->opening);
    else
        failed = add_waiting(&channels, source, &channel->opening, channel);
    release_lock(channels);
    free(there);
    return failed;
}

void channel_forget(struct channel *channel)
{
    take_lock(channels);
    for (struct waiting *each = channels.first; each; each = each->next)
        if (each->channel == channel)
            each->channel = 0;
    release_lock(channels);
}
