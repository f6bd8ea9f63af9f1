/* SPDX-License-Identifier: BSD-3-Clause */
/* Statuses, MPI-4.1 section 3.2.5: the public fields are converted, the host's private bytes are
 * kept in the application's private bytes, and MPI_ERROR is left alone but for the calls that
 * complete several requests, and for empty statuses. */
#ifndef STATUS_H
#define STATUS_H

#include <string.h>

#include "convert.h"
#include "convert/host_status.h"

/* True for MPI_STATUS(ES)_IGNORE, and for a null pointer where these are not the same. Where converting a status costs more (below),
 * the compiler is told to expect one. */
#if HOST_STATUS_PRIVATE_BYTES <= APP_STATUS_PRIVATE_BYTES || defined HOST_STATUS_SIZE_OFFSET
#define IS_IGNORED(status) ((uintptr_t)(status) <= (uintptr_t)APP_MPI_STATUS_IGNORE)
#else
#define IS_IGNORED(status) unlikely((uintptr_t)(status) <= (uintptr_t)APP_MPI_STATUS_IGNORE)
#endif

/* private_to_app() and private_to_host() convert the private bytes; three pairs of definitions follow.
 *
 * The application's status has room for all of the host's. */
#if HOST_STATUS_PRIVATE_BYTES <= APP_STATUS_PRIVATE_BYTES

/* Copies the bytes. */
static inline void private_to_app(app_status *to, const host_status *from)
{
    memcpy(to->APP_STATUS_PRIVATE, from->HOST_STATUS_PRIVATE, HOST_STATUS_PRIVATE_BYTES);
}

/* Copies them back. */
static inline void private_to_host(host_status *to, const app_status *from)
{
    memcpy(to->HOST_STATUS_PRIVATE, from->APP_STATUS_PRIVATE, HOST_STATUS_PRIVATE_BYTES);
}

#else

/* The host has more private bytes than the application's status. A status needs only a size and a flag for cancelled operations
 * besides its public fields (MPI-4.1 section 3.2.5), and these fit. */
_Static_assert(APP_STATUS_PRIVATE_BYTES >= sizeof(uint64_t), "a flag and a size are packed into 8 bytes");

#ifdef HOST_STATUS_SIZE_OFFSET

/* Packs size and flag: the flag goes into the size's uppermost bit, which no size has. */
static inline void private_to_app(app_status *to, const host_status *from)
{
    uint64_t size;
    int32_t flag;
    memcpy(&size, (const char *)from + HOST_STATUS_SIZE_OFFSET, sizeof size);
    memcpy(&flag, (const char *)from + HOST_STATUS_FLAG_OFFSET, sizeof flag);
    size |= (uint64_t)flag << 63;
    memcpy(to->APP_STATUS_PRIVATE, &size, sizeof size);
}

/* Unpacks them. */
static inline void private_to_host(host_status *to, const app_status *from)
{
    uint64_t size;
    memcpy(&size, from->APP_STATUS_PRIVATE, sizeof size);
    const int32_t flag = size >> 63;
    size &= ~((uint64_t)1 << 63);
    memcpy((char *)to + HOST_STATUS_SIZE_OFFSET, &size, sizeof size);
    memcpy((char *)to + HOST_STATUS_FLAG_OFFSET, &flag, sizeof flag);
}

#else

/* The host's private words are opaque, and hosts use no more than the first ones except for huge sizes. If the rest is
 * zero, the first words are copied. Otherwise the host is asked for size and flag, which are packed (status.c); the
 * uppermost bit of the last word marks that. */
#define STATUS_REST_BYTES (HOST_STATUS_PRIVATE_BYTES - APP_STATUS_PRIVATE_BYTES)
_Static_assert(STATUS_REST_BYTES % sizeof(uint32_t) == 0, "the rest is words");

/* Pack size and flag, and unpack them. */
COLD HIDDEN void status_pack(app_status *to, const host_status *from);
COLD HIDDEN void status_unpack(host_status *to, const app_status *from);

/* Loads a word of the private bytes. */
INLINE uint32_t status_word(const void *private, size_t offset)
{
    uint32_t word;
    memcpy(&word, (const char *)private + offset, sizeof word);
    return word;
}

/* Returns whether the application's private bytes have the mark. If there are eight, loads them at once, as they are copied. */
INLINE int status_is_packed(const void *private)
{
    int64_t all;
    memcpy(&all, private, sizeof all);
    return APP_STATUS_PRIVATE_BYTES == sizeof all
               ? all < 0
               : status_word(private, APP_STATUS_PRIVATE_BYTES - sizeof(uint32_t)) >> 31;
}

/* Returns whether the application's private bytes have room for all words of the host's that are not zero. */
INLINE int status_is_short(const host_status *status)
{
    const char *private = (const char *)status->HOST_STATUS_PRIVATE;
    uint64_t rest = 0, two;
    size_t i = APP_STATUS_PRIVATE_BYTES;
    for (; i + sizeof two <= HOST_STATUS_PRIVATE_BYTES; i += sizeof two) {
        memcpy(&two, private + i, sizeof two);
        rest |= two;
    }
    for (; i < HOST_STATUS_PRIVATE_BYTES; i += sizeof(uint32_t))
        rest |= status_word(private, i);
    return rest == 0 && !status_is_packed(private);
}

/* Copies the first words, or packs the status. */
static inline void private_to_app(app_status *to, const host_status *from)
{
    if (likely(status_is_short(from)))
        memcpy(to->APP_STATUS_PRIVATE, from->HOST_STATUS_PRIVATE, APP_STATUS_PRIVATE_BYTES);
    else
        status_pack(to, from);
}

/* Copies the first words, or unpacks the status. */
static inline void private_to_host(host_status *to, const app_status *from)
{
    if (likely(!status_is_packed(from->APP_STATUS_PRIVATE))) {
        memcpy(to->HOST_STATUS_PRIVATE, from->APP_STATUS_PRIVATE, APP_STATUS_PRIVATE_BYTES);
        memset((char *)to->HOST_STATUS_PRIVATE + APP_STATUS_PRIVATE_BYTES, 0, STATUS_REST_BYTES);
    } else {
        status_unpack(to, from);
    }
}

#endif

#endif

/* Returns where the host is to store a status: in the room, which is prepared, or HOST_MPI_STATUS_IGNORE. */
INLINE host_status *status_room(host_status *room, const app_status *status)
{
    if (IS_IGNORED(status))
        return HOST_MPI_STATUS_IGNORE;
    status_prepare(room);
    return room;
}

/* Converts all fields but MPI_ERROR. */
static inline void status_to_app(app_status *to, const host_status *from)
{
    to->MPI_SOURCE = rank_to_app(from->MPI_SOURCE);
    to->MPI_TAG = tag_to_app(from->MPI_TAG);
    private_to_app(to, from);
}

/* If both sides have MPI_SOURCE and MPI_TAG side by side, both are copied as one word: ranks are equal on both sides, and
 * so are tags unless they are negative. */
#define SOURCE_AND_TAG_GO_TOGETHER                                                                 \
    (offsetof(app_status, MPI_TAG) == offsetof(app_status, MPI_SOURCE) + 4 &&                      \
     offsetof(host_status, MPI_TAG) == offsetof(host_status, MPI_SOURCE) + 4 &&                    \
     __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__)

/* Returns whether MPI_SOURCE, or a tag that may not be the same, is negative. */
INLINE int is_converted(uint64_t source_and_tag)
{
    return TAG_IS_IDENTITY ? (int32_t)source_and_tag < 0 : (source_and_tag & 0x8000000080000000u) != 0;
}

/* Returns whether a completed operation was cancelled, for a host that gives a cancelled receive the source MPI_ANY_SOURCE,
 * as Open MPI does. Only calls that complete a request can meet one. */
static inline int is_cancelled(const host_status *status)
{
#ifdef HOST_STATUS_FLAG_OFFSET
    int32_t flag;
    memcpy(&flag, (const char *)status + HOST_STATUS_FLAG_OFFSET, sizeof flag);
    return flag != 0;
#else
    return 0;
#endif
}

/* Converts the flag for cancelled operations of a status that the host left alone otherwise, if the operation is complete. */
static inline void untouched_to_app(app_status *to, const host_status *from, int is_complete)
{
    if (!STATUS_IS_WRITTEN_WHOLE && is_complete)
        private_to_app(to, from);
}

/* Converts a status that a call may have filled in; one whose MPI_SOURCE is STATUS_UNTOUCHED was
 * not, unless an operation is complete. MPI_ANY_SOURCE is the source of the empty status, whose MPI_ERROR is MPI_SUCCESS in
 * every procedure (MPI-4.1 section 3.7.3): many releases leave it as it was. */
static inline void status_completed(app_status *to, const host_status *from, int is_complete)
{
    uint64_t both = (uint32_t)from->MPI_SOURCE;
    if (SOURCE_AND_TAG_GO_TOGETHER)
        memcpy(&both, (const char *)from + offsetof(host_status, MPI_SOURCE), sizeof both);
    if (TAG_IS_IDENTITY && (int32_t)both == STATUS_UNTOUCHED) {
        untouched_to_app(to, from, is_complete);
        return;
    }
    if (!SOURCE_AND_TAG_GO_TOGETHER || unlikely(is_converted(both))) {
        /* If negative tags count too, one test recognises all rare cases. */
        if (!TAG_IS_IDENTITY && (int32_t)both == STATUS_UNTOUCHED) {
            untouched_to_app(to, from, is_complete);
            return;
        }
        status_to_app(to, from);
        if (to->MPI_SOURCE == APP_MPI_ANY_SOURCE && !(is_complete && is_cancelled(from)))
            to->MPI_ERROR = APP_MPI_SUCCESS;
        return;
    }
    memcpy((char *)to + offsetof(app_status, MPI_SOURCE), &both, sizeof both);
    private_to_app(to, from);
}

/* Does the same for a call that receives a message or probes for one. */
static inline void status_returned(app_status *to, const host_status *from)
{
    status_completed(to, from, 0);
}

/* Converts the application's status, unless it is ignored. */
static inline void status_to_host(host_status *to, const app_status *from)
{
    if (unlikely(IS_IGNORED(from)))
        return;
    to->MPI_SOURCE = rank_to_host(from->MPI_SOURCE);
    to->MPI_TAG = tag_to_host(from->MPI_TAG);
    to->MPI_ERROR = 0;
    private_to_host(to, from);
}

#endif
