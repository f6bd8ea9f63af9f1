/* SPDX-License-Identifier: BSD-3-Clause */
/* Handles that cross between the application's parts and natives (isolate/natives.h) as integers: MPI_X_c2f of one, and MPI_X_f2c of the
 * other. docs/mixing.md has the table of what each gives and takes. */
#ifndef NATIVE_NUMBERS_H
#define NATIVE_NUMBERS_H

#include <stdint.h>

#include "convert/handle_classes.h"

/* Returns whether a native made the integer, and it is none of the application's. False where the host's handles are integers
 * themselves. */
int is_native_number(int handle_class, int32_t number);

/* Returns the host's handle of such an integer; 0 for any other. */
intptr_t native_handle(int handle_class, int32_t number);

/* Returns the procedure that natives call by this name, without MPI_, in the place of the host's; null for other names, and where the host's
 * handles are integers themselves. `is_binding` is true for a library of the host's MPI, such as the one for Fortran. */
void *native_number_procedure(const char *name, int is_binding);

/* Return the host's integer of a handle, and its handle of an integer. */
#define HOST_NUMBERS(CLASS, class)             \
    int32_t host_##class##_c2f(intptr_t bits); \
    intptr_t host_##class##_f2c(int32_t number);
HANDLE_CLASSES(HOST_NUMBERS)

#endif
