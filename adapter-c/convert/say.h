/* SPDX-License-Identifier: BSD-3-Clause */
/* What the adapter says to the user, on stderr. */
#ifndef SAY_H
#define SAY_H

#include "convert/types.h"

/* One line on stderr, as "mpi-adapter: what; what to do". */
COLD void complain(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* The same, then the process ends with status 1. */
COLD void give_up(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));

#endif
