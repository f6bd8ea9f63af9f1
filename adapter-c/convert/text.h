/* SPDX-License-Identifier: BSD-3-Clause */
/* Strings that the host wrote into an array of its own size. `room` is the application's named
 * maximum, which counts the terminating null character in C (MPI-4.1 section 2.6). */
#ifndef TEXT_H
#define TEXT_H

/* Copies prose, cut to fit. Sets *length, unless it is null, to the copied length. */
void copy_prose(char *to, const char *from, int room, int *length);

/* Copies an identifier. Returns non-zero, and copies nothing, if it does not fit. */
int copy_identifier(char *to, const char *from, int room);

#endif
