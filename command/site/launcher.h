/* SPDX-License-Identifier: BSD-3-Clause */
/* Launchers, by their files. */
#ifndef SITE_LAUNCHER_H
#define SITE_LAUNCHER_H

#include "site.h"

/* The answer of kind_of_launcher() for one that does not tell by its file, where nothing may be started. */
extern const char UNASKED[];

/* Returns the kind of a launcher: an implementation's, a batch system's, or "". Starts only one whose file does not tell. */
const char *kind_of_launcher(const struct site *site, const char *file);

/* Returns the maker's variant of that kind which a launcher is, by what it says of itself; or the kind. */
const char *variant_of_launcher(const struct site *site, const char *file, const char *kind);

/* Returns the file of a launcher as a shell finds it, past what leads back to this command; or null. */
const char *find_launcher(const struct site *site, const char *name);

/* Returns the same of the nth folder of PATH that has one, from 0 on. */
const char *nth_launcher(const struct site *site, const char *name, size_t nth);

#endif
