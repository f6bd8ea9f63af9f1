// SPDX-License-Identifier: BSD-3-Clause
// Versions of symbols that files of a closure need and do not find, for which the dynamic loader would say "version
// 'GLIBC_2.38' not found".
#ifndef ELF_UNMET_H
#define ELF_UNMET_H

#include "elf-closure.h"

// Calls visit for each version that a program and its closure lack: with the file that needs it, the library that should
// have it, and the version.
void each_unmet(const struct closure *, const char *program,
                void visit(const char *by, const char *library, const char *version));

#endif
