/* SPDX-License-Identifier: BSD-3-Clause */
/* The MPIs and the launchers of this machine. */
#ifndef MACHINE_H
#define MACHINE_H

#include "site.h"

struct machine {
    struct list libraries;      /* of MPIs, each file once, by its folder's own name */
    struct list families;       /* for each; "" for an ABI that is not known */
    struct list launchers;      /* in PATH, each file once */
    struct list kinds;          /* for each; "" for one that is not known */
    struct list seen;           /* files that were looked at */
};

/* Look for them. `library_path` is LD_LIBRARY_PATH. */
void find_mpis(const struct site *site, const char *library_path, struct machine *machine);
void find_launchers(const struct site *site, struct machine *machine);

/* Note an MPI library, if the file is one; the MPIs of a prefix. */
void note_mpi_library(const struct site *site, struct machine *machine, const char *path);
void note_mpi_prefix(const struct site *site, struct machine *machine, const char *prefix);

/* Returns the launcher of an MPI library: the one of its prefix, or of its kind in PATH; null if there is none. */
const char *launcher_of_library(const struct site *site, const struct machine *machine, const char *library, const char *family);

/* Returns the prefix of a library's installation. */
const char *prefix_of_library(const char *library);

#endif
