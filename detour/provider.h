/* SPDX-License-Identifier: BSD-3-Clause */
/* Constants that are variables, such as MPI_UNWEIGHTED, or Fortran's common blocks, lie in the program at addresses that it was linked
 * with. The pair's libraries have such variables, too, and compare addresses with those. As in a program that has a copy relocation, the
 * dynamic linker has to bind the libraries' references to the program's variables, but these are in no table of dynamic symbols. The same
 * holds for functions that are constants, such as MPI_CONVERSION_FN_NULL of Fortran. */
#ifndef PROVIDER_H
#define PROVIDER_H

#include "pair.h"

/* Makes a library in memory that has nothing but the names of these, each at its address in the program, and puts it into the
 * global scope, ahead of the pair's libraries, which are to be loaded afterwards. The names of procedures that
 * the program has are in it, too. Refuses the program if that fails. */
void provide(const struct pair *, const struct program *);

#endif
