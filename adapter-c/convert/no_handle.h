/* SPDX-License-Identifier: BSD-3-Clause */
/* is_no_CLASS(handle, its_handle) returns whether the program's handle, which became the host's its_handle, is no handle.
 * Wrappers refuse it if a host would accept the null handle in its place (abi-tables/procedures, `refuses`) or dereference
 * a null pointer. The null message counts as no handle: no procedure takes it, and Open MPI waits for it without end. */
#ifndef NO_HANDLE_H
#define NO_HANDLE_H

#include "convert.h"

#define DEFINE_IS_NO(NAME, class)                                                                  \
    static inline int is_no_##class(app_##class handle, host_##class its_handle)                  \
    {                                                                                              \
        intptr_t bits = HOST_##NAME##_BITS(its_handle);                                            \
        if (NULL_IS_TAKEN(CLASS_##NAME))                                                           \
            return bits == 0;                                                                      \
        return bits == HOST_##NAME##_BITS(HOST_NULL_##class) &&                                    \
               (CLASS_##NAME == CLASS_MESSAGE ||                                                   \
                APP_##NAME##_BITS(handle) != APP_##NAME##_BITS(APP_NULL_##class));                 \
    }
HANDLE_CLASSES(DEFINE_IS_NO)
#undef DEFINE_IS_NO

#endif
