/* SPDX-License-Identifier: BSD-3-Clause */
/* Facts of the two sides, from the tables. Code that is compiled once for all pairs reads them here. A colon separates the
 * items of a list. */
#ifndef FACTS_H
#define FACTS_H

#include "convert/types.h"

/* The families' names, the sonames of their libraries, and the beginnings of all of the application's. */
extern HIDDEN const char application_family[], application_sonames[], application_stems[];
extern HIDDEN const char host_family[], host_sonames[];

/* Beginnings of names, besides MPI's, that both the application's libraries and the host's may define. */
extern HIDDEN const char application_prefixes[];

/* Bytes that a message of a buffered send takes besides its data (MPI_BSEND_OVERHEAD). */
extern HIDDEN const int application_bsend_overhead;

/* The launchers whose variables programs of the application's ABI look for, and the keys that its own MPI has in
 * MPI_INFO_ENV, with commas between. Whether a process of it has the attribute MPI_UNIVERSE_SIZE. */
extern HIDDEN const char application_told[], application_info_env[];
extern HIDDEN const int application_has_universe;

/* The prefixes of file names that the application's own MPI knows, with spaces between. Null for an ABI of several
 * implementations, whose programs promise nothing of the kind. */
extern HIDDEN const char *const application_file_prefixes;

/* Whether the host may keep libraries behind it that have names of the application's. */
extern HIDDEN const int host_has_namesakes;

#endif
