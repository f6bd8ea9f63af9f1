/* SPDX-License-Identifier: BSD-3-Clause */
/* Words that the program exchanges with the command. Each ends with a null byte, which no file's name has. An answer is a
 * list of two words: a key and a value. The keys `said`, `note` and `problem` are texts for the user. */
#ifndef WORDS_H
#define WORDS_H

/* Between what is wrong and what to do: a character that is never shown, as a file's name may have any text. */
#define SEPARATOR '\x1f'

/* Returns a copy of a message's format "what; what to do", with SEPARATOR between its halves; null without memory. */
char *marked_message(const char *format);

/* Answers with a key and a formatted value. */
void answer(const char *key, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Tells the user what is odd, "what; what to do". */
void complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Tells the user of --verbose. */
void note(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Ends the program with a problem, "what; what to do". */
void give_up(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));

/* Returns the next word of the standard input, or null at its end. The caller owns it. */
char *next_word(void);

/* Returns memory that is there; ends the program if there is none. */
void *reallocated(void *memory, unsigned long size);

/* Returns a formatted text that the caller owns. */
char *text_of(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
