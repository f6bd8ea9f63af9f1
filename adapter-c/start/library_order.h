/* SPDX-License-Identifier: BSD-3-Clause */
/* The names that releases and makers give to the host's library. */
#ifndef LIBRARY_ORDER_H
#define LIBRARY_ORDER_H

#include <stddef.h>

/* Returns which of these names to try first: one that the first folder of LD_LIBRARY_PATH has which holds the host's library by any of
 * them, as a module puts its MPI's folder there; or 0. */
size_t first_library_name(const char *const *names, size_t count);

#endif
