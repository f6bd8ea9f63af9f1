/* SPDX-License-Identifier: BSD-3-Clause */
/* Questions about texts, and new texts of old ones. What is returned lies in the arena. */
#ifndef TEXTS_H
#define TEXTS_H

#include "list.h"

/* Return whether two texts are the same; whether one begins, or ends, with another; whether it has another in it. */
int is_same(const char *text, const char *other);
int begins_with(const char *text, const char *start);
int ends_with(const char *text, const char *end);
int has_text(const char *text, const char *part);

/* Returns whether a text is like a pattern of the shell's, which may be of any text: `*` stands for slashes, too. */
int is_like(const char *text, const char *pattern);

/* Returns whether the word is one of those that a text has, with white space between. No word is empty. */
int has_word(const char *words, const char *word);

/* Return the words of a text, which white space separates; the parts of a list such as PATH but for empty ones; and its parts with a
 * comma between. */
struct list words_of(const char *text);
struct list parts_of(const char *text);
struct list comma_parts_of(const char *text);

/* Adds a word that the list does not have. */
void list_add_once(struct list *list, const char *word);

/* Returns the texts with `separator` between. */
const char *list_joined(const struct list *list, const char *separator);

/* Returns the texts for people: A, B or C, with `last` ahead of the last one. */
const char *joined(const char *last, const struct list *list);

/* Returns the text up to the first, or the last, `end`; all of it without one. */
const char *up_to(const char *text, char end);
const char *up_to_last(const char *text, char end);

/* Returns what stands behind the first `sign`; all of the text without one. */
const char *behind(const char *text, char sign);

/* Returns the name of a file without its folders. */
const char *base_name(const char *path);

/* Returns the text in small letters. */
const char *in_small_letters(const char *text);

/* Returns whether a text is a number of at most so many digits, and nothing else. */
int is_digits(const char *text, int most);

/* Returns whether a text has a control character of ASCII. */
int has_control(const char *text);

/* Return whether a text may be the name of a shell's variable; of an ABI, or of a pair. */
int is_variable_name(const char *text);
int is_plain_word(const char *text);

/* Returns a list such as LD_PRELOAD with one more entry at its end; no entry is empty. */
const char *with_entry(const char *list, const char *entry);

/* Returns whether a list such as LD_PRELOAD has the entry. */
int has_entry(const char *list, const char *entry);

/* Returns a list such as LD_LIBRARY_PATH with an entry ahead, unless it is there already. */
const char *prepended(const char *entry, const char *list);

/* Returns a word for any POSIX shell: in quotes, or as short as that can be; in the form of bash's if it cannot be shown as it is. */
const char *quoted(const char *text);
const char *shell_word(const char *text);

/* Returns the text as people can be shown it: one line of UTF-8. */
const char *plain(const char *text);

#endif
