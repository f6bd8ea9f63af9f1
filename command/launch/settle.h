/* SPDX-License-Identifier: BSD-3-Clause */
/* A line is made to say what its launcher does without being told, for a launcher that would do otherwise. */
#ifndef SETTLE_H
#define SETTLE_H

#include "line.h"
#include "place.h"

/* Gives each program its number of ranks and places them, then says how they are bound, what variables they get, and whether they may
 * share cores. `variables` are the names of all variables that the user has. */
struct problem *settle_line(struct line *line, const struct host_launcher *host, const struct list *variables, struct placement *placement);

#endif
