/* SPDX-License-Identifier: BSD-3-Clause */
/* The sum by which a pair knows the library that it was made for. */
#ifndef CHECKSUM_H
#define CHECKSUM_H

/* Returns the SHA-256 of a regular file, "" if it cannot be read. */
const char *checksum_of(const char *path);

#endif
