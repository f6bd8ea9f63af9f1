/* SPDX-License-Identifier: BSD-3-Clause */
/* The layers of procedures that MPI_ADAPTER_VERBOSE names. */
#ifndef STACKS_H
#define STACKS_H

/* Prints the layers of each such procedure, from the outermost to the host. `when` is a word of the line: the time at which
 * they are so. */
void stacks_tell(const char *when);

#endif
