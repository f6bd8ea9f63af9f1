// SPDX-License-Identifier: BSD-3-Clause
// Symbols that files of a closure need and none of them defines: what the dynamic loader would say of them as
// "undefined symbol: MPI_Send_c", mostly in the middle of a run.
#ifndef ELF_UNBOUND_H
#define ELF_UNBOUND_H

#include "elf-closure.h"

// Calls visit with the file that needs a symbol, and the symbol, for all that a program and its closure lack whose names
// begin with one of the starts, words with spaces between. Weak symbols may be lacking.
void each_unbound(const struct closure *, const char *program, const char *starts, void visit(const char *by, const char *symbol));

#endif
