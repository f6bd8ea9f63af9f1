/* SPDX-License-Identifier: BSD-3-Clause */
/* Ends of the process that neither an exit handler nor a signal reports: the host ends it after an error that nobody
 * handles, or by an MPI_Abort of its own. It calls functions for that, through slots of its objects. */
#ifndef HOST_END_H
#define HOST_END_H

/* Leads slots of the host's that are bound from now on through the report, if reports are wanted (MPI_ADAPTER_REPORT). */
void host_end_watch(void);

#endif
