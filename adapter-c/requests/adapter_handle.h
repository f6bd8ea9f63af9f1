/* SPDX-License-Identifier: BSD-3-Clause */
/* A request of the adapter's own, and its handle. Only adapter_request.c and adapter_completion.c look into one. */
#ifndef ADAPTER_HANDLE_H
#define ADAPTER_HANDLE_H

#include "requests/adapter_request.h"

struct adapter_request {
    struct adapter_operation operation;
    int active, persistent;
    int error;                    /* of the first part that failed, or of what was polled */
    host_status status;           /* of the status part, once that is complete */
    struct adapter_request *next; /* among the freed ones that are not complete */
    host_request parts[];         /* null handles when complete */
};

/* Handles are places in an array that is reserved once. If the host's requests are addresses, a handle is the place's
 * address. If they are integers, it is the place's number above FIRST_INTEGER, where no host has requests. */
#define PLACES (1 << 22)
#define FIRST_INTEGER INT32_MIN
#define HANDLES_ARE_ADDRESSES (sizeof(host_request) > sizeof(int32_t))
struct place {
    struct adapter_request *own;
    intptr_t next_free;
};
extern HIDDEN struct place *adapter_places;

/* Returns the place of a request of ours, or null for a request of the host's. */
INLINE struct place *place_of(host_request request)
{
    intptr_t bits = HOST_REQUEST_BITS(request);
    struct place *first = __atomic_load_n(&adapter_places, __ATOMIC_ACQUIRE);
    uintptr_t offset = HANDLES_ARE_ADDRESSES ? ((uintptr_t)bits - (uintptr_t)first) / sizeof *first
                                             : (uintptr_t)(bits - FIRST_INTEGER);
    return first && offset < PLACES ? &first[offset] : 0;
}

/* Returns the request of ours that has this handle, or null for a request of the host's. */
INLINE struct adapter_request *adapter_of(host_request request)
{
    struct place *place = place_of(request);
    return place ? place->own : 0;
}

/* Returns whether this is MPI_REQUEST_NULL. */
INLINE int adapter_is_null(host_request request)
{
    return HOST_REQUEST_BITS(request) == HOST_REQUEST_BITS(HOST_MPI_REQUEST_NULL);
}

/* Returns whether all parts are complete. */
INLINE int adapter_has_ended(const struct adapter_request *own)
{
    for (int i = 0; i < own->operation.parts; i++)
        if (!adapter_is_null(own->parts[i]))
            return 0;
    return 1;
}

/* Returns whether the request is active and polled: no call of the host's waits for it. */
INLINE int adapter_is_polled(const struct adapter_request *own)
{
    return own && own->active && own->operation.poll;
}

/* Brings the request forward, if it is polled. Returns whether its operation is complete. */
INLINE int adapter_poll_once(struct adapter_request *own)
{
    return !own->operation.poll || own->operation.poll(own->operation.arguments, &own->status, &own->error);
}

/* Returns whether the request is active, and every part complete: the next completion call reports it. */
INLINE int adapter_is_ready(struct adapter_request *own)
{
    return own && own->active && adapter_has_ended(own) && adapter_poll_once(own);
}

/* Releases the arrays of a part, or of a request of the host's, if a call has completed it. `before` is its handle ahead of that
 * call, when `mark` was taken. */
INLINE void adapter_settle(host_request before, host_request after, uint64_t mark)
{
    if (HOST_REQUEST_BITS(before) != HOST_REQUEST_BITS(after))
        release_retained(before, mark);
}

/* Returns whether one of them is ours. */
INLINE int adapter_among(const host_request *requests, int count)
{
    for (int i = 0; requests && i < count; i++)
        if (adapter_of(requests[i]))
            return 1;
    return 0;
}

/* Returns whether one of them stands for a number that the program gave as a request and that is none (NULL_IS_TAKEN). */
INLINE int adapter_lacks_request(const host_request *requests, int count)
{
    if (!(__atomic_load_n(&special_requests, __ATOMIC_RELAXED) & SEEN_NO_REQUEST))
        return 0;
    for (int i = 0; requests && i < count; i++)
        if (HOST_REQUEST_BITS(requests[i]) == 0)
            return 1;
    return 0;
}

/* Gives a request its handle. Returns non-zero if no handle is left. */
int adapter_publish(struct adapter_request *own, host_request *request);
/* Takes the handle of a request back. */
void adapter_withdraw(host_request request);

/* Releases the arguments of a request that has no handle, and frees it. */
void adapter_destroy(struct adapter_request *own);

#endif
