/* SPDX-License-Identifier: BSD-3-Clause */
/* is_no_CLASS(handle, its_handle): whether the program's handle, which became the host's its_handle, is none. Wrappers refuse it
 * where some host takes the null handle that it would become, and would succeed (abi-tables/procedures, `refuses`), or
 * dereferences a null pointer. The null message is none, either: no procedure takes it, and Open MPI waits for it without end. */
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
