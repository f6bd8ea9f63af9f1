/* SPDX-License-Identifier: BSD-3-Clause */
/* Which version of MPI a symbol of the application's ABI tells of. */
#ifndef VERSION_H
#define VERSION_H

/* Returns the oldest version of MPI, as 100 * major + minor, whose libraries have the symbol, in C or in any mangling of Fortran; of
 * symbols that tell nothing, the oldest of all. */
int version_of_symbol(const char *symbol);

#endif
