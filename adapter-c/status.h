/* SPDX-License-Identifier: BSD-3-Clause */
/* Statuses, MPI-4.1 section 3.2.5: the public fields are converted, the host's private bytes are
 * kept in the application's private bytes, and MPI_ERROR is left alone but for the calls that
 * complete several requests. */
#ifndef STATUS_H
#define STATUS_H

#include <string.h>

#include "convert.h"

/* True for MPI_STATUS(ES)_IGNORE, and for a null pointer where these are not the same. */
#define IS_IGNORED(status) ((uintptr_t)(status) <= (uintptr_t)APP_MPI_STATUS_IGNORE)

/* No host stores this rank: it marks a status, or an MPI_ERROR, that the host did not touch. */
#define STATUS_UNTOUCHED (-0x7ffffff1)

#if HOST_STATUS_PRIVATE_BYTES <= APP_STATUS_PRIVATE_BYTES

static inline void private_to_app(app_status *to, const host_status *from)
{
    memcpy(to->APP_STATUS_PRIVATE, from->HOST_STATUS_PRIVATE, HOST_STATUS_PRIVATE_BYTES);
}

static inline void private_to_host(host_status *to, const app_status *from)
{
    memcpy(to->HOST_STATUS_PRIVATE, from->APP_STATUS_PRIVATE, HOST_STATUS_PRIVATE_BYTES);
}

#else

/* The host keeps a flag and a size in more bytes than the application's status has to spare: the
 * flag goes into the size's uppermost bit, which no size has. */
_Static_assert(APP_STATUS_PRIVATE_BYTES == 8, "a flag and a size are packed into 8 bytes");

static inline void private_to_app(app_status *to, const host_status *from)
{
    uint64_t size;
    int32_t flag;
    memcpy(&size, (const char *)from + HOST_STATUS_SIZE_OFFSET, sizeof size);
    memcpy(&flag, (const char *)from + HOST_STATUS_FLAG_OFFSET, sizeof flag);
    size |= (uint64_t)flag << 63;
    memcpy(to->APP_STATUS_PRIVATE, &size, sizeof size);
}

static inline void private_to_host(host_status *to, const app_status *from)
{
    uint64_t size;
    memcpy(&size, from->APP_STATUS_PRIVATE, sizeof size);
    int32_t flag = size >> 63;
    size &= ~((uint64_t)1 << 63);
    memcpy((char *)to + HOST_STATUS_SIZE_OFFSET, &size, sizeof size);
    memcpy((char *)to + HOST_STATUS_FLAG_OFFSET, &flag, sizeof flag);
}

#endif

/* MPI_ERROR is not converted by either. */
static inline void status_to_app(app_status *to, const host_status *from)
{
    to->MPI_SOURCE = rank_to_app(from->MPI_SOURCE);
    to->MPI_TAG = tag_to_app(from->MPI_TAG);
    private_to_app(to, from);
}

/* Where both sides have MPI_SOURCE and MPI_TAG side by side, and tags are the same, the two go
 * together. */
#define SOURCE_AND_TAG_GO_TOGETHER                                                                 \
    (TAG_IS_IDENTITY && offsetof(app_status, MPI_TAG) == offsetof(app_status, MPI_SOURCE) + 4 &&   \
     offsetof(host_status, MPI_TAG) == offsetof(host_status, MPI_SOURCE) + 4 &&                    \
     __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__)

/* Converts a status that a call may have filled in; one whose MPI_SOURCE is STATUS_UNTOUCHED was
 * not. */
static inline void status_returned(app_status *to, const host_status *from)
{
    uint64_t both = (uint32_t)from->MPI_SOURCE;
    if (SOURCE_AND_TAG_GO_TOGETHER)
        memcpy(&both, (const char *)from + offsetof(host_status, MPI_SOURCE), sizeof both);
    if ((int32_t)both == STATUS_UNTOUCHED)
        return;
    if (!SOURCE_AND_TAG_GO_TOGETHER || unlikely((int32_t)both < 0)) {
        status_to_app(to, from);
        return;
    }
    memcpy((char *)to + offsetof(app_status, MPI_SOURCE), &both, sizeof both);
    private_to_app(to, from);
}

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
