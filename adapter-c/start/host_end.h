/* SPDX-License-Identifier: BSD-3-Clause */
/* The ways in which a host ends its process that no exit handler and no signal tells of: after an error that nobody
 * handles, and after an MPI_Abort of its own. They are functions that its objects call by slots. */
#ifndef HOST_END_H
#define HOST_END_H

/* If reports are wanted (MPI_ADAPTER_REPORT), slots of the host's that are bound from now on lead through here. */
void host_end_watch(void);

#endif
