/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared by the fuzz targets. A target reads bytes as one of our readers does. Whatever they are, the reader must
 * return, without a wrong access, and without a leak. */
#ifndef FUZZ_H
#define FUZZ_H

#include <stddef.h>
#include <stdint.h>

/* The target: libFuzzer calls it, or driver.c. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Changes bytes in place, or what there is of them, and returns the new size, `room` at most. An ELF file is changed
 * where that matters: words of its headers and tables. */
size_t fuzz_mutate(uint8_t *data, size_t size, size_t room, unsigned seed);

/* A file in memory that has these bytes now, by its path; the same one for each `number`. */
const char *fuzz_file(int number, const uint8_t *data, size_t size);

/* A new folder, which goes when the program ends. */
const char *fuzz_folder(void);

/* A symbolic link in that folder. */
void fuzz_link(const char *name, const char *to);

#endif
