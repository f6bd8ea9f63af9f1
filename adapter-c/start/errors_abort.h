/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_ERRORS_ABORT on hosts that end with a failed assertion wherever it is set or freed. */
#ifndef ERRORS_ABORT_H
#define ERRORS_ABORT_H

/* Installs handlers of the adapter's in the place of MPI_ERRORS_ABORT, if the host needs them. `standard` is as in start/host_fault.h. */
void errors_abort_work_around(int standard);

#endif
