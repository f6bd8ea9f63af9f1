/* SPDX-License-Identifier: BSD-3-Clause */
/* The procedures that the program may call. */
#ifndef MENTION_H
#define MENTION_H

/* True if an object that is loaded and no part of the adapter has this text, in lower case, within the name of a symbol,
 * in which Fortran compilers may have changed the case; or if the setting says so, for programs that ask for symbols by
 * name. */
int program_mentions(const char *setting, const char *text);

#endif
