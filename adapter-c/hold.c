/* SPDX-License-Identifier: BSD-3-Clause */
#include "hold.h"

#include <pthread.h>
#include <stdlib.h>

#include "adapter.h"

struct held {
    struct held *next;
    int handle_class;
    intptr_t bits;
    int times;
    int to_be_freed;
};

static struct held *held;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct held **find(int handle_class, intptr_t bits)
{
    struct held **link = &held;
    while (*link && ((*link)->bits != bits || (*link)->handle_class != handle_class))
        link = &(*link)->next;
    return link;
}

static int hold(int handle_class, intptr_t bits)
{
    pthread_mutex_lock(&lock);
    struct held *entry = *find(handle_class, bits);
    if (!entry && (entry = calloc(1, sizeof *entry))) {
        entry->next = held;
        entry->handle_class = handle_class;
        entry->bits = bits;
        __atomic_store_n(&held, entry, __ATOMIC_RELAXED);
    }
    if (entry)
        entry->times++;
    pthread_mutex_unlock(&lock);
    return entry ? 0 : -1;
}

/* True if the handle is to be freed now. */
static int release(int handle_class, intptr_t bits)
{
    int to_be_freed = 0;
    pthread_mutex_lock(&lock);
    struct held **link = find(handle_class, bits), *entry = *link;
    if (entry && --entry->times == 0) {
        to_be_freed = entry->to_be_freed;
        __atomic_store_n(link, entry->next, __ATOMIC_RELAXED);
        free(entry);
    }
    pthread_mutex_unlock(&lock);
    return to_be_freed;
}

/* True if freeing is put off. */
static int put_off(int handle_class, intptr_t bits)
{
    if (likely(__atomic_load_n(&held, __ATOMIC_RELAXED) == 0))
        return 0;
    pthread_mutex_lock(&lock);
    struct held *entry = *find(handle_class, bits);
    if (entry)
        entry->to_be_freed = 1;
    pthread_mutex_unlock(&lock);
    return entry != 0;
}

/* Predefined handles are never held: freeing them is the host's to refuse. */
#define HOLD(CLASS, class, host_free)                                                              \
    static int lasts_##class(host_##class handle)                                                  \
    {                                                                                              \
        intptr_t bits = HOST_##CLASS##_BITS(handle);                                               \
        return bits == 0 || predefined_find(&predefined_##class, bits) != 0;                       \
    }                                                                                              \
    int hold_##class(host_##class handle)                                                          \
    {                                                                                              \
        return lasts_##class(handle) ? 0 : hold(CLASS_##CLASS, HOST_##CLASS##_BITS(handle)); \
    }                                                                                              \
    void release_##class(host_##class handle)                                                      \
    {                                                                                              \
        if (!lasts_##class(handle) && release(CLASS_##CLASS, HOST_##CLASS##_BITS(handle)))  \
            host.host_free(&handle);                                                               \
    }                                                                                              \
    int free_##class(host_##class *handle)                                                         \
    {                                                                                              \
        if (!handle || !put_off(CLASS_##CLASS, HOST_##CLASS##_BITS(*handle)))                      \
            return host.host_free(handle);                                                         \
        *handle = HOST_NULL_##class;                                                               \
        return 0;                                                                                  \
    }

/* MPI_Op_free is among the user reductions. */
#define FREE(class, name)                                                                          \
    PROCEDURE(int, name, app_##class *handle)                                                 \
    {                                                                                              \
        host_##class staged = handle ? class##_to_host(*handle) : HOST_NULL_##class;               \
        int rc = free_##class(handle ? &staged : 0);                                               \
        if (handle)                                                                                \
            *handle = class##_to_app(staged);                                                      \
        return rc == 0 ? 0 : error_to_app(rc);                                                     \
    }

HOLD(COMM, comm, MPI_Comm_free)
HOLD(DATATYPE, datatype, MPI_Type_free)
HOLD(OP, op, MPI_Op_free)

FREE(comm, MPI_Comm_free)
FREE(datatype, MPI_Type_free)
