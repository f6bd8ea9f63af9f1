/* SPDX-License-Identifier: BSD-3-Clause */
/* The state of MPI in this process, as the program sees it. */
#ifndef PROCESS_H
#define PROCESS_H

#include "convert/types.h"

/* Whether the program has initialized MPI, or a session, and not finalized MPI since. */
extern HIDDEN int process_has_mpi;

#endif
