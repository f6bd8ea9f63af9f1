/* SPDX-License-Identifier: BSD-3-Clause */
/* The host's symbols that the adapter looks up. */
#ifndef HOST_SYMBOLS_H
#define HOST_SYMBOLS_H

#include "convert/types.h"

/* Symbols of the host whose addresses (or, if `content`, whose contents) constants stand for.
 * `required`: every release of the host has it; where one is missing that is not, what is at
 * `instead` in host_address takes its place. */
struct host_symbol {
    uint16_t content, required, offset, instead;
};
/* Names end by an empty one, and pointers are written to when the library is loaded: there are none in these. */
extern const char host_symbol_names[];
extern const struct host_symbol host_symbols[];
extern const char host_procedure_names[];
/* Returns the stand-in for a procedure that the host lacks, by the procedure's number; null if there is none. */
mpi_function *host_stand_in(int procedure);

#endif
