/* SPDX-License-Identifier: BSD-3-Clause */
/* A host's status ahead of the call that may fill it in. */
#ifndef HOST_STATUS_H
#define HOST_STATUS_H

#include <string.h>

#include "host.h"

/* No host stores this rank: it marks a status, or an MPI_ERROR, that the host did not touch. */
#define STATUS_UNTOUCHED (-0x7ffffff1)

/* Open MPI writes a status as a whole. MPICH and what has the standard's status write less: of a completed send whether it was
 * cancelled (MPI-4.1 section 3.7.3), which is a bit of one of the private words, of a message that is found all but that. The
 * rest must not keep bytes of the stack, which may look like the mark of a packed status. */
#ifdef HOST_STATUS_SIZE_OFFSET
enum { STATUS_IS_WRITTEN_WHOLE = 1 };
#else
enum { STATUS_IS_WRITTEN_WHOLE = 0 };
#endif

/* Prepares a host's status so that its fields tell afterwards whether the host filled it in. */
INLINE void status_prepare(host_status *status)
{
    status->MPI_SOURCE = STATUS_UNTOUCHED;
    if (!STATUS_IS_WRITTEN_WHOLE)
        memset(status->HOST_STATUS_PRIVATE, 0, HOST_STATUS_PRIVATE_BYTES);
}

/* Does the same if the host may leave MPI_ERROR alone, too. */
INLINE void status_prepare_all(host_status *status)
{
    status_prepare(status);
    status->MPI_ERROR = STATUS_UNTOUCHED;
}

#endif
