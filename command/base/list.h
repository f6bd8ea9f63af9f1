/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists of words. Memory is given back when the program ends, which does one thing. */
#ifndef LIST_H
#define LIST_H

#include <stddef.h>

struct list {
    const char **words;     /* a null follows the last, if there ever was one */
    size_t count;
};

/* Adds a word, which the list does not copy. */
void list_add(struct list *list, const char *word);

/* Adds all words of another list. */
void list_add_all(struct list *list, const struct list *more);

/* Adds the words of a text, which white space separates. */
void list_split(struct list *list, const char *text);

/* Adds the parts of a text, which this character separates, but for empty ones. */
void list_split_at(struct list *list, const char *text, char separator);

/* Returns whether one of the words is this one. */
int list_has(const struct list *list, const char *word);

/* Puts the words in the order of their bytes. */
void list_sort(struct list *list);

/* Returns the words from `begin` up to `end`, or to the last, with spaces between. */
const char *list_text(const struct list *list, size_t begin, size_t end);

#endif
