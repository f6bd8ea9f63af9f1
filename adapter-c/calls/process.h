/* SPDX-License-Identifier: BSD-3-Clause */
/* The state of MPI in this process, as the program sees it. */
#ifndef PROCESS_H
#define PROCESS_H

#include "convert/types.h"

/* Whether the program has initialized MPI, or a session, which threads may do at the same time, and not finalized MPI since. */
extern HIDDEN _Atomic int process_has_mpi;

#endif
