// SPDX-License-Identifier: BSD-3-Clause
// Versions of symbols that files of a closure need and do not find: what the dynamic loader would say of them as
// "version 'GLIBC_2.38' not found".
#ifndef ELF_UNMET_H
#define ELF_UNMET_H

#include "elf-closure.h"

// Calls visit with the file that needs a version, the one that should have it, and the version, for all that a
// program and its closure lack.
void each_unmet(const struct closure *, const char *program,
                void visit(const char *by, const char *library, const char *version));

#endif
