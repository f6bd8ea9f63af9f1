/* SPDX-License-Identifier: BSD-3-Clause */
/* A job: what the user asked for, and what holds for all programs of one line. */
#ifndef JOB_H
#define JOB_H

#include "../site/site.h"
#include "message.h"
#include "table.h"

struct job {
    struct site *site;
    struct messages messages;
    const char *command;        /* the subcommand */
    struct list environment;    /* NAME=VALUE, as it was when the command began */

    struct facts given;         /* options and their values */
    struct list launcher_arguments, tool_arguments;
    struct list operands;
    int ranks;
    struct list from_parts;     /* ABIs of parts of the process, where --from names several; it is none then */
    int from_is_assumed;        /* --from is the family whose launcher the line was written for, for programs that do not tell theirs */
    int is_as_written;          /* the line is of a script that was written for the MPI of its programs */

    const char *library_path, *preload;     /* LD_LIBRARY_PATH and LD_PRELOAD of the ranks, before this command changes them */

    const char *image_names;    /* where in an image the pair's libraries are by the names that its program needs; null outside of one */

    const char *launcher, *launcher_kind;   /* that of the line, or of the first program's host; "" while there is none */
    const char *line_host;      /* the ABI that the programs before this one run on, or "" */
    const char *line_library;   /* and its library */
    const char *named_library;  /* that of the launcher's installation, or of the programs before, which this program must run on; or "" */
    const char *line_native, *line_adapted; /* programs of the line that run without a pair, and by one */
    int own_serves;             /* 0: programs of the line do not all run on the first one's MPI */

    struct planned *planned;    /* programs of the line, as they were settled */
    size_t planned_count;
};

/* Returns the value of an option, "" if it was not given. */
const char *given(const struct job *job, const char *option);

/* Return the launcher, and the ABI of the host, that the user or a setting wants; or "". */
const char *wanted_launcher(const struct job *job);
const char *wanted_host(const struct job *job);

/* Names of ABIs in options and settings are known, and become those of families. */
struct problem *check_abi_options(struct job *job);

/* Returns what the dynamic linker would load for a file in the environment of the ranks, without what is preloaded. */
const struct closure_found *needs_of(const struct job *job, const char *file);

#endif
