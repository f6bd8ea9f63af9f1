/* SPDX-License-Identifier: BSD-3-Clause */
/* Statuses that cross between parts of a process (isolate/natives.h) as integers: MPI_Status_c2f of one, and MPI_Status_f2c of the other
 * (MPI-4.1 section 19.3.5). Each family has a layout of its own, and nothing in the integers tells whose they are. So it is kept who gave
 * which, and what a taker has is looked up there. */
#ifndef NATIVE_STATUSES_H
#define NATIVE_STATUSES_H

#include <stdint.h>

#include "convert.h"
#include "host.h"

/* Parts that give and take: natives, the application's, and those of the pair whose host this adapter is. */
enum status_part { STATUS_OF_NATIVE, STATUS_OF_APPLICATION, STATUS_OF_PAIR_ABOVE, STATUS_PARTS };

/* Keeps that a part gave this status by `count` integers, at most 8. */
void status_give(enum status_part giver, const int32_t *integers, int count, const host_status *status);

/* Does the same for a status of the application's. */
void status_give_application(const int32_t *integers, const app_status *status);

/* Copies the status that another part than `taker` gave by these integers. Returns 0 if none did: they are in the taker's own layout, which
 * has `count` integers. `has_fortran` is true if code of the taker's MPI in Fortran may have filled the array. Ends the process if it cannot
 * be told whose they are. */
int status_take(enum status_part taker, int has_fortran, const int32_t *integers, int count, host_status *status);

/* Does the same for the application's parts. */
int status_take_application(const int32_t *integers, app_status *status);

/* Returns the procedure that natives call by this name in the place of the host's; null for other names, and where the host has none. */
void *native_status_procedure(const char *name);

/* An adapter has this for that of another pair, whose host it is, by the symbol mpi_adapter_statuses: status_give() and status_take() for
 * STATUS_OF_PAIR_ABOVE, with statuses of its application. */
struct statuses_of_host {
    void (*give)(const int32_t *integers, int count, const void *status);
    int (*take)(int has_fortran, const int32_t *integers, int count, void *status);
};

#endif
