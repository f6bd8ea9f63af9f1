/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory and texts that the caller owns, and the end of a program that has none. */
#ifndef MEMORY_H
#define MEMORY_H

/* Between what is wrong and what to do: a character that is never shown, as a file's name may have any text. */
#define SEPARATOR '\x1f'

/* Returns a copy of a message's format "what; what to do", with SEPARATOR between its halves; null without memory. */
char *marked_message(const char *format);

/* Ends the program with a problem, "what; what to do". Each program has its own: words.c answers, message.c tells the user. */
void give_up(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));

/* Returns memory that is there; ends the program if there is none. */
void *reallocated(void *memory, unsigned long size);

/* Returns a formatted text that the caller owns. */
char *text_of(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
