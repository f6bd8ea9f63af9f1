/* SPDX-License-Identifier: BSD-3-Clause */
/* A codec for any two representations: it looks predefined handles up, and hands the rest on. */
#define CODEC_THIRD(class, app_null, host_null)                                                    \
    INLINE host_##class class##_to_host(app_##class handle)                                        \
    {                                                                                              \
        intptr_t bits = 0;                                                                         \
        host_##class found;                                                                        \
        memcpy(&bits, &handle, sizeof handle);                                                     \
        bits = sizeof handle == 4 ? (int32_t)bits : bits;                                          \
        for (int i = 1; i < predefined_count; i++)                                                 \
            if (predefined_handles[i].handle_class == class##_number && predefined_handles[i].app == bits) { \
                memcpy(&found, &predefined_handles[i].host, sizeof found);                         \
                return found;                                                                      \
            }                                                                                      \
        memcpy(&found, &bits, sizeof found);                                                       \
        return found;                                                                              \
    }                                                                                              \
    INLINE app_##class class##_to_app(host_##class handle)                                         \
    {                                                                                              \
        intptr_t bits = 0;                                                                         \
        app_##class made;                                                                          \
        memcpy(&bits, &handle, sizeof handle);                                                     \
        bits = sizeof handle == 4 ? (int32_t)bits : bits;                                          \
        const struct predefined *found = predefined_find(&predefined_##class, bits);               \
        bits = found ? found->app : bits;                                                          \
        memcpy(&made, &bits, sizeof made);                                                         \
        return made;                                                                               \
    }                                                                                              \
    CODEC_ONE_BY_ONE(class)
