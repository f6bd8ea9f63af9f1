/* SPDX-License-Identifier: BSD-3-Clause */
/* Preloaded for programs that run on their own MPI, where that has constants for the handles of mpi_f08 and the program variables, as
 * earlier releases have them. */
#include "convert/types.h"
#include "earlier_numbers.h"

#define DEFINE_VARIABLE(variable, today, earlier)                                                  \
    extern EXPORTED int variable;                                                                  \
    int variable = today;
F08_VARIABLES(DEFINE_VARIABLE)
