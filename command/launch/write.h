/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes a line for the host's launcher. */
#ifndef WRITE_H
#define WRITE_H

#include "line.h"

/* The words of the line, and what its launcher's environment gets. */
struct written {
    struct list words;
    struct list variables;      /* NAME=VALUE */
};

/* Returns whether a launcher takes this for all programs at once. */
int is_of_line(const struct dialect *dialect, const char *meaning);

/* Writes the line behind `words`, the launcher and what it is given in any case. `variables` are NAME=VALUE, all that the user has. */
struct problem *write_line(struct line *line, const struct host_launcher *host, const struct list *variables, struct written *written);

#endif
