/* SPDX-License-Identifier: BSD-3-Clause */
/* is_no_CLASS(handle): whether what the program gave as a handle is none. Wrappers refuse it where some host takes the null
 * handle that it would become, and would succeed (abi-tables/procedures, `refuses`), or dereferences a null pointer. */
#ifndef NO_HANDLE_H
#define NO_HANDLE_H

#include "convert.h"

#define DEFINE_IS_NO(NAME, class)                                                                  \
    static inline int is_no_##class(app_##class handle)                                            \
    {                                                                                              \
        intptr_t bits = HOST_##NAME##_BITS(class##_to_host(handle));                               \
        if (NULL_IS_TAKEN(CLASS_##NAME))                                                           \
            return bits == 0;                                                                      \
        return bits == HOST_##NAME##_BITS(HOST_NULL_##class) &&                                    \
               APP_##NAME##_BITS(handle) != APP_##NAME##_BITS(APP_NULL_##class);                   \
    }
HANDLE_CLASSES(DEFINE_IS_NO)
#undef DEFINE_IS_NO

#endif
