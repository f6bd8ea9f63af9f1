// SPDX-License-Identifier: BSD-3-Clause
// Libraries that a program and the host's MPI would both bring, known before the program is started.
#ifndef ELF_CONFLICTS_H
#define ELF_CONFLICTS_H

#include "process/conflicts.h"

// Calls visit for each conflict, in an environment with this LD_LIBRARY_PATH, which begins with the pair's folder, and this
// LD_PRELOAD. `host` is the path of the host's MPI.  Returns a code of elf-file.h.
int each_conflict(const char *program, const char *library_path, const char *preload, const char *pair, const char *host,
                  void visit(const struct conflict *, void *), void *context);

// Describes the outcome, as one line.  The caller frees it.
char *conflict_text(const struct conflict *);

#endif
