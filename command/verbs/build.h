/* SPDX-License-Identifier: BSD-3-Clause */
/* mpi-adapter build: makes pairs for MPIs of the site. */
#ifndef VERBS_BUILD_H
#define VERBS_BUILD_H

#include "../site/mpi.h"
#include "verbs.h"

/* Makes pairs for every MPI that is found: as many runs of the same command. */
struct problem *build_all(struct job *job);

/* Takes away the pairs that were made under a name. */
struct problem *remove_pairs(struct job *job, const char *name);

/* Prints "WHAT      TEXT" as a step of a subcommand's. */
void put_step(const char *what, const char *text);

/* Runs this command again with these words, and waits. Returns the exit status. */
int run_again(const struct job *job, const struct list *words);

#endif
