/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory for one run of a program that does one thing: nothing is given back before it ends, or all at once. Where there is none, the program ends. */
#ifndef ARENA_H
#define ARENA_H

#include <stdarg.h>
#include <stddef.h>

/* Returns memory of this size, aligned for any type, whose bytes are 0. */
void *arena_memory(size_t size);

/* Returns an array of `count` elements of `size` bytes with room for one more; the same one, or a copy that is twice as large. */
void *arena_grown(void *array, size_t count, size_t size);

/* Gives everything back, for who goes on. */
void arena_empty(void);

/* Returns a formatted text. */
char *arena_formatted(const char *format, va_list values) __attribute__((format(printf, 1, 0)));
char *arena_text(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
