/* SPDX-License-Identifier: BSD-3-Clause */
/* A launch line that was written for one launcher, as what its options mean. parse.c reads one, settle.c and place.c add what its own
 * launcher does without being told, and write.c writes it for another launcher. */
#ifndef LINE_H
#define LINE_H

#include <stddef.h>

#include "dialect.h"
#include "list.h"
#include "problem.h"

/* The meaning of one option. */
struct item {
    const char *meaning, *value;
    const char *text;           /* the option as it stands in the line, for messages */
};

struct items {
    struct item *all;
    size_t count;
};

/* One program of the line. */
struct part {
    struct items items;         /* what holds for it alone */
    size_t begin, end;          /* its words in the line: the program and its arguments */
    int ranks;
    struct list command;        /* the words to start instead of its own */
    struct list settings;       /* NAME=VALUE, for its ranks */
};

struct line {
    const struct dialects *dialects;
    const struct dialect *dialect;      /* of the launcher that the line was written for */
    struct list words;
    size_t launcher_at;
    int cores;                          /* how many this machine has for ranks */
    struct list ignored;                /* options to leave out, without dashes */
    struct items items;                 /* what holds for all programs */
    struct part *parts;
    size_t count;
    struct list notes;                  /* for --verbose */
    struct list without_effect;         /* what the line says and the host's launcher does not heed */
};

/* The launcher that is to start the line. */
struct host_launcher {
    const struct dialect *dialect;
    const char *path;
};

/* Adds an item; the texts are not copied. */
void add_item(struct items *items, const char *meaning, const char *value, const char *text);

/* Returns the value of the first item with this meaning in `first`, then in `second`; of MEANING:X, that is X. Null without one. */
const char *value_said(const char *meaning, const struct items *first, const struct items *second);

/* Returns whether the line says anything of this kind, for all programs or for one. */
int is_said(const struct line *line, const char *meaning);

/* Returns the same for a value: bind:core. Null if nothing is said. */
const char *value_of_line(const struct line *line, const char *meaning);

/* Returns whether one of the items gives ranks a value of this variable. */
int gives_value(const struct items *items, const char *name);

/* Returns whether a list of words has this meaning: itself, or for one value that which it is a value of. */
int has_meaning(const struct list *meanings, const char *meaning);

/* Reads the words behind the launcher: sets items and parts. A file of programs takes the place of the words that name it. */
struct problem *parse_line(struct line *line);

/* Returns whether the launcher has each option ahead of the line's programs, whether or not that means something. */
int knows_options(const struct line *line);

/* Adds what variables of the environment say to the line's own launcher, unless the line does. */
void parse_environment(struct line *line, const struct dialect *host);

/* Adds the names of variables that set up this launcher's MPI and mean nothing to another's. */
void find_idle_variables(const struct dialect *dialect, struct list *names);

/* Refuses an option for which the host's launcher (a path, or null while it is not known) has no counterpart. */
struct problem *refuse_option(const struct line *line, const char *text, const char *launcher, const char *advice);

/* Returns whether a text is a number from 1 up, of nine digits at most. */
int is_number(const char *text);

#endif
