/* SPDX-License-Identifier: BSD-3-Clause */
/* Names and what is known of each, by keys: the tables of abi-tables, of which a line is NAME KEY VALUE.... */
#ifndef TABLE_H
#define TABLE_H

#include "list.h"
#include "problem.h"

/* Values by keys. */
struct facts {
    struct list keys, values;
};

/* Returns the value of a key, "" if there is none. */
const char *fact(const struct facts *facts, const char *key);

/* Returns whether the key has a value, be it empty. */
int has_fact(const struct facts *facts, const char *key);

/* Gives a key a value, in the place of one that it has. */
void set_fact(struct facts *facts, const char *key, const char *value);

struct table {
    struct list names;          /* in the order of the file */
    struct facts *rows;         /* one for each */
};

/* Reads a table. Lines of the same name and key are one list. */
struct problem *read_table(const char *path, struct table *table);

/* Returns what the table says of a name under a key, "" if it says nothing. */
const char *said_of(const struct table *table, const char *name, const char *key);

/* Returns the words of that. */
struct list words_said_of(const struct table *table, const char *name, const char *key);

/* Returns what the table says of all names under a key, with a space between. */
const char *said_of_all(const struct table *table, const char *key);

/* Reads the lines of a table of any form, but for comments and empty ones. */
struct problem *read_rows(const char *path, struct list *rows);

#endif
