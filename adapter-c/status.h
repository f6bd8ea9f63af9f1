/* SPDX-License-Identifier: BSD-3-Clause */
/* Statuses, MPI-4.1 section 3.2.5: the public fields are converted, the host's private bytes are
 * kept in the application's private bytes, and MPI_ERROR is left alone but for the calls that
 * complete several requests. */
#ifndef STATUS_H
#define STATUS_H

#include <string.h>

#include "convert.h"

/* No host stores this rank: it marks a status, or an MPI_ERROR, that the host did not touch. */
#define STATUS_UNTOUCHED (-0x7ffffff1)

#define STATUS_PRIVATE_BYTES                                                                       \
    (sizeof((app_status *)0)->APP_STATUS_PRIVATE < sizeof((host_status *)0)->HOST_STATUS_PRIVATE   \
         ? sizeof((app_status *)0)->APP_STATUS_PRIVATE                                             \
         : sizeof((host_status *)0)->HOST_STATUS_PRIVATE)

_Static_assert(sizeof((host_status *)0)->HOST_STATUS_PRIVATE <= sizeof((app_status *)0)->APP_STATUS_PRIVATE,
               "the host's private bytes of a status must fit into the application's");

/* MPI_ERROR is not converted by either. */
static inline void status_to_app(app_status *to, const host_status *from)
{
    to->MPI_SOURCE = rank_to_app(from->MPI_SOURCE);
    to->MPI_TAG = tag_to_app(from->MPI_TAG);
    memcpy(to->APP_STATUS_PRIVATE, from->HOST_STATUS_PRIVATE, STATUS_PRIVATE_BYTES);
}

static inline void status_to_host(host_status *to, const app_status *from)
{
    if (unlikely(from == APP_MPI_STATUS_IGNORE))
        return;
    to->MPI_SOURCE = rank_to_host(from->MPI_SOURCE);
    to->MPI_TAG = tag_to_host(from->MPI_TAG);
    to->MPI_ERROR = 0;
    memcpy(to->HOST_STATUS_PRIVATE, from->APP_STATUS_PRIVATE, STATUS_PRIVATE_BYTES);
}

#endif
