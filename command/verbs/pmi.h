/* SPDX-License-Identifier: BSD-3-Clause */
/* How ranks of an MPI meet where a batch system starts them. */
#ifndef PMI_H
#define PMI_H

#include "../plan/job.h"

/* Returns what srun --mpi= takes for an MPI library. */
const char *pmi_of_library(const struct job *job, const char *library, const char *family);

/* Sets *types to the types of MPI that a srun lists; if it does not, sets *said to what it says, and returns 0. */
int mpi_types(const char *srun, struct list *types, const char **said);

/* Sets *offered to a type as this srun calls it. */
struct problem *offered_type(const struct job *job, const char *srun, const char *type, const char *library, const char **offered);

#endif
