/* SPDX-License-Identifier: BSD-3-Clause */
/* Words that the program exchanges with the command. Each ends with a null byte, which no file's name has. An answer is a
 * list of two words: a key and a value. The keys `said`, `note` and `problem` are texts for the user. */
#ifndef WORDS_H
#define WORDS_H

#include "memory.h"

/* Answers with a key and a formatted value. */
void answer(const char *key, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Tells the user what is odd, "what; what to do". */
void complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Tells the user of --verbose. */
void note(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Returns the next word of the standard input, or null at its end. The caller owns it. */
char *next_word(void);

#endif
