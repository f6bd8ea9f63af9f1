/* SPDX-License-Identifier: BSD-3-Clause */
/* The definition of an entry point that programs call. */
#ifndef PROCEDURE_H
#define PROCEDURE_H

#include "convert/types.h"

/* Defines an entry point: PMPI_X strong and MPI_X weak, so that a tool may define MPI_X
 * (MPI-4.1 section 15.2). The adapter's own code calls direct_MPI_X, which no tool can override. */
#define PROCEDURE(type, name, ...)                                                                 \
    EXPORTED type name(__VA_ARGS__) __attribute__((weak, alias("P" #name)));                       \
    HIDDEN type direct_##name(__VA_ARGS__) __attribute__((alias("P" #name)));                      \
    EXPORTED type P##name(__VA_ARGS__);                                                            \
    type P##name(__VA_ARGS__)

#endif
