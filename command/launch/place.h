/* SPDX-License-Identifier: BSD-3-Clause */
/* The hosts that a line names, and on which of them its own launcher would start each rank. */
#ifndef PLACE_H
#define PLACE_H

#include "line.h"

struct host {
    const char *name;
    int slots;                  /* how many ranks it takes */
};

/* Hosts in the order in which ranks go to them. */
struct hosts {
    struct host *all;
    size_t count;
};

/* The host of each rank of all programs. */
struct placement {
    struct list ranks;          /* the host of each */
    struct hosts used;          /* how many ranks each host has */
    int is_crowded;             /* whether a host has more ranks than slots, or than this machine has cores */
    struct list lists;          /* the texts of files that list hosts, and by which names words stand for these files */
    struct list list_names;
};

/* Returns how many ranks this machine has room for: the cores that the process may use. */
int count_cores(void);

/* Returns whether a launcher starts a rank in each slot unless it is told how many. */
int has_slots(const struct dialect *dialect);

/* Reads the hosts that options name, with what the line's own launcher takes for their slots. */
struct problem *read_hosts(const struct line *line, const struct items *part, struct hosts *hosts);

/* Places so many ranks of a program, as the line's own launcher does. */
struct problem *place_ranks(const struct line *line, const struct items *part, const struct hosts *hosts, int ranks, struct placement *placement);

/* Takes out all of these meanings; of `map`, its values, too: map:core. */
void forget_items(struct items *items, const char *const *meanings, size_t count);

/* Replaces what the line says of hosts by what makes the host's launcher start each rank where it was placed. */
struct problem *write_hosts(struct line *line, const struct host_launcher *host, struct placement *placement);

#endif
