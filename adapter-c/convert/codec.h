/* SPDX-License-Identifier: BSD-3-Clause */
/* Used by the functions that convert handles, which the generator writes for each class of handles from one of templates/codec-*.c:
 * class_to_host(), class_to_app(), and class_at(), which is class_to_app() of a handle that lies at an address. They have no table of
 * live handles. Which template serves a class follows from how either side represents it, and from its predefined handles
 * (abi-tables/codecs):
 *
 *   object   a predefined handle is the address of a data object (Open MPI)
 *   int      a 32-bit integer (MPICH)
 *   pointer  a pointer whose predefined values are small numbers (the standard ABI, MPICH's MPI_File)
 *
 * dynamic_class_to_app() converts a handle that is not predefined. classes_are_dynamic() returns whether dynamic_class_to_host(), which
 * is faster, is right for all of four handles; it is written as one test, because not every compiler makes one of four. */
#ifndef CODEC_H
#define CODEC_H

#include <string.h>

#include "application.h"
#include "convert/compress.h"
#include "convert/predefined.h"
#include "convert/preserving.h"
#include "convert/special_requests.h"
#include "host.h"

/* Returns the host's handle for a small number of the application's that is no handle, if the host's handles are addresses. */
INLINE intptr_t no_code(const int handle_class, intptr_t host_null)
{
    if (handle_class == CLASS_REQUEST)
        note_no_request();
    return NULL_IS_TAKEN(handle_class) ? 0 : host_null;
}

/* Returns the host's handle of an integer that an object of the host's made, in a process where parts of both sides exchange such
 * integers; 0 if it is none. Null until a room above sets it. */
extern HIDDEN intptr_t (*handle_of_native)(int handle_class, int32_t number);

/* Returns the host's pointer for an integer that is neither compressed nor in a table: the pointer that did not fit, or the result
 * of predefined_number(). */
COLD HIDDEN intptr_t integer_slow(int32_t handle, int handle_class);
INLINE intptr_t integer_elsewhere(int32_t handle, const int handle_class)
{
    return CALL_PRESERVING(integer_slow, handle, handle_class);
}

/* Returns the host's pointer for a dynamic handle of the application's; for a number that is no handle, predefined_number(). */
INLINE intptr_t integer_to_pointer(int32_t handle, const int handle_class)
{
    intptr_t pointer = expand_handle(handle, handle_class == CLASS_COMM);
    return likely(is_pointer(pointer)) ? pointer : integer_elsewhere(unexpanded(pointer), handle_class);
}

#endif
