/* SPDX-License-Identifier: BSD-3-Clause */
/* The procedures that the program may call. */
#ifndef MENTION_H
#define MENTION_H

/* Returns whether a loaded object that is no part of the adapter has this text within the name of a symbol. The text is in
 * lower case; the symbol may be in any, for Fortran compilers change it. Also true if the user's setting says so, for
 * programs that look symbols up by name. */
int program_mentions(const char *setting, const char *text);

#endif
