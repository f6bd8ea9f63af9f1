/* SPDX-License-Identifier: BSD-3-Clause */
/* How the launchers read their command lines: the table abi-tables/launchers. Code knows meanings, and the table how each launcher
 * writes them. */
#ifndef DIALECT_H
#define DIALECT_H

#include <stddef.h>

#include "list.h"
#include "problem.h"

/* One way to write a meaning. */
struct form {
    const char *meaning;
    struct list words;      /* with NAME and VALUE where these go; none: the launcher does this anyhow */
    const char *option;     /* the first word as single_dash() has it; null for a variable, or without words */
    const char *variable;   /* the name, if a variable of the launcher's environment is the form; or null */
    const char *value;      /* the form of the option's or the variable's value, "" if it has none */
};

struct dialect {
    const char *name;
    struct form *forms;
    size_t count;
    struct list keys, values;   /* what else the table says, in pairs */
};

/* All launchers have this in common. */
struct meanings {
    struct list kept, jobs, dispensable;    /* patterns of variables; variables; meanings */
    struct list advised, advice;    /* meanings; what to do where a launcher lacks one */
};

struct dialects {
    struct dialect *all;
    size_t count;
    struct meanings meanings;
};

/* Reads the table of that name. */
struct problem *read_dialects(const char *path, struct dialects *dialects);

/* Returns the launcher of that name, or null. */
const struct dialect *dialect_of(const struct dialects *dialects, const char *name);

/* Returns whether it is a maker's variant of another launcher, for which lines are written and none are read. */
int is_variant(const struct dialect *dialect);

/* Returns the values of a key, "" if the table has none. */
const char *fact_of(const struct dialect *dialect, const char *key);

/* Returns whether this is the value of a key. */
int fact_is(const struct dialect *dialect, const char *key, const char *value);

/* Returns the form by which a launcher is told this, or null if it cannot be. */
const struct form *form_of(const struct dialect *dialect, const char *meaning);

/* Returns an option as the table spells it: with one dash, and without its value. */
const char *single_dash(const char *word);

/* Returns whether the launcher has this option, as single_dash() returns it, and it means something. */
int has_option(const struct dialect *dialect, const char *option);

/* Returns whether values of an option, as it stands in a line, are joined, so that only one can be there: --map-by socket:PE=2. */
int joins_values(const struct dialect *dialect, const char *word);

/* Returns whether the launcher has this option at all. */
int knows_option(const struct dialect *dialect, const char *option);

/* Returns how many words behind this one are its value: what the forms of the option or the key `values` say. */
int words_behind(const struct dialect *dialect, const char *word);

/* Returns whether a value has a form, and sets *rest to what stands there for VALUE. */
int has_form(const char *form, const char *value, const char **rest);

#endif
