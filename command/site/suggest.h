/* SPDX-License-Identifier: BSD-3-Clause */
/* Which name somebody meant who mistyped one. */
#ifndef SUGGEST_H
#define SUGGEST_H

#include "list.h"

/* Returns whether at most 0, 1 or 2 edits make `name` of `word`. An edit adds, drops or replaces a letter, or exchanges two neighbours. */
int is_within(int edits, const char *word, const char *name);

/* Returns a question for the name that a word is a slip of, or for two that are as near; null if none is near or more than two are. Leading
 * dashes, capitals and the prefix of our variables do not count, and fewer than half of the letters may differ. */
const char *did_you_mean(const char *word, const struct list *names);

#endif
