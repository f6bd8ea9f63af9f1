/* SPDX-License-Identifier: BSD-3-Clause */
/* Arguments that count at some processes, or in some calls alone: MPI calls them significant only at the root, or ignores them beside
 * MPI_IN_PLACE. Programs leave anything there. A wrapper converts such an argument only where its condition (abi-tables/rules)
 * holds. Elsewhere the host gets one that is valid for all calls, because hosts look at some arguments that do not count. */
#ifndef SIGNIFICANT_H
#define SIGNIFICANT_H

#include "host.h"

/* The host gets these in the place of a handle that does not count. The operation is one for the datatype. */
#define IGNORED_COMM HOST_MPI_COMM_NULL
#define IGNORED_DATATYPE HOST_MPI_BYTE
#define IGNORED_GROUP HOST_MPI_GROUP_EMPTY
#define IGNORED_INFO HOST_MPI_INFO_NULL
#define IGNORED_OP HOST_MPI_BAND

/* The same for a count, by its condition. With 0, Open MPI returns from a nonblocking collective operation at once, and the process has
 * counted one operation less than the others: the next one never ends. Of MPI_NO_OP, some host would read what 1 says is there. */
#define IGNORED_COUNT(counts) IGNORED_COUNT_##counts
#define IGNORED_COUNT_counts_at_root 1
#define IGNORED_COUNT_counts_sent_to_root 1
#define IGNORED_COUNT_counts_received_from_root 1
#define IGNORED_COUNT_counts_taking_part 1
#define IGNORED_COUNT_counts_not_in_place 0
#define IGNORED_COUNT_counts_changing 0

/* The functions of conditions return 1 or 0; or, if the host raises an error at the question, that error's code, negated. */

/* Returns whether the process is the root. In the root's group of an intercommunicator it says so by MPI_ROOT. */
int is_root(int root, host_comm comm);

/* Returns whether the process has this rank in the group. */
int is_group_rank(int rank, host_group group);

/* Returns whether the buffer is another than MPI_IN_PLACE. */
INLINE int is_given(const void *buffer)
{
    return buffer != HOST_MPI_IN_PLACE;
}

/* Returns whether the process takes part: it does not sit beside the root of an intercommunicator. */
INLINE int takes_part(int root)
{
    return root != HOST_MPI_PROC_NULL;
}

/* Returns whether the process sends to the root, or receives from it: it is in the other group of an intercommunicator, or has a block
 * of its own in `buffer`. */
INLINE int exchanges_block(const void *buffer, int root)
{
    return is_given(buffer) && root != HOST_MPI_ROOT && root != HOST_MPI_PROC_NULL;
}

/* Returns whether the operation changes the target. */
INLINE int changes_target(host_op op)
{
    return HOST_OP_BITS(op) != HOST_OP_BITS(HOST_MPI_NO_OP);
}

#endif
