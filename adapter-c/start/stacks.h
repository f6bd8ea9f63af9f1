/* SPDX-License-Identifier: BSD-3-Clause */
/* The layers of procedures that MPI_ADAPTER_VERBOSE names. */
#ifndef STACKS_H
#define STACKS_H

/* Prints the layers of each procedure that MPI_ADAPTER_VERBOSE names, from the outermost to the host. */
void stacks_tell(const char *when);

#endif
