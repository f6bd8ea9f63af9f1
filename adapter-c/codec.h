/* SPDX-License-Identifier: BSD-3-Clause */
/* Handle codecs: class_to_host() and class_to_app() for a class of handles, without a table of
 * live handles. Which one serves a class follows from how either side represents it:
 *
 *   OBJECT   a predefined handle is the address of a data object (Open MPI)
 *   INT      a 32-bit integer (MPICH)
 *   POINTER  a pointer whose predefined values are small numbers (MPICH's MPI_File)
 */
#ifndef CODEC_H
#define CODEC_H

#include <string.h>

#include "application.h"
#include "compress.h"
#include "host.h"
#include "predefined.h"

/* A host's integer handle as the application's pointer. All 32 upper bits are set, so it is
 * negative, which no address is: decoding takes one test and no memory access. */
#define DYNAMIC_OBJECT(type, bits) ((type)(intptr_t)((uint64_t)0xffffffff00000000u | (uint32_t)(bits)))

/* Predefined handles are decoded by loading the object's word. A null pointer is decoded to 0,
 * which the host reports as an invalid handle. */
#define CODEC_OBJECT_INT_DECODE(class)                                                             \
    static inline host_##class class##_to_host(app_##class handle)                                 \
    {                                                                                              \
        intptr_t bits = (intptr_t)handle;                                                          \
        return (host_##class){ likely(bits > 0) ? (int32_t)((const struct app_object *)bits)->word \
                                                : (int32_t)bits };                                 \
    }

/* SIGNED: no predefined handle of the class has bit 31 set, so a handle with it is dynamic. */
#define CODEC_OBJECT_INT(class, SIGNED)                                                            \
    CODEC_OBJECT_INT_DECODE(class)                                                                 \
    static inline app_##class class##_to_app(host_##class handle)                                  \
    {                                                                                              \
        if (SIGNED && likely(handle.value < 0))                                                    \
            return DYNAMIC_OBJECT(app_##class, handle.value);                                      \
        const struct predefined *found = predefined_find(&predefined_##class, handle.value);       \
        return found ? (app_##class)found->app : DYNAMIC_OBJECT(app_##class, handle.value);        \
    }

/* A class whose only predefined handle is the null handle. */
#define CODEC_OBJECT_INT_NULL_ONLY(class, app_null, host_null)                                     \
    CODEC_OBJECT_INT_DECODE(class)                                                                 \
    static inline app_##class class##_to_app(host_##class handle)                                  \
    {                                                                                              \
        return handle.value == (host_null).value ? app_null                                        \
                                                 : DYNAMIC_OBJECT(app_##class, handle.value);      \
    }

/* Such a class's new handle is written by the host into the application's variable, of which it is
 * the lower half; class_settle() then completes it, and class_spoil() makes it the null handle
 * after a failure, which may have left either half behind. */
#define CODEC_OBJECT_INT_SLOT(class, app_null, host_null)                                          \
    _Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "a slot's lower half comes first");  \
    static inline host_##class *class##_slot(app_##class *slot) { return (host_##class *)(void *)slot; } \
    static inline void class##_settle(app_##class *slot)                                           \
    {                                                                                              \
        int32_t halves[2];                                                                         \
        memcpy(halves, slot, sizeof halves);                                                       \
        if (unlikely(halves[0] == (host_null).value))                                              \
            *slot = app_null;                                                                      \
        else                                                                                       \
            memset((char *)slot + 4, 0xff, 4);                                                     \
    }                                                                                              \
    static inline void class##_spoil(app_##class *slot)                                            \
    {                                                                                              \
        if (slot)                                                                                  \
            *slot = app_null;                                                                      \
    }

/* Both sides use pointers, and only the null handle is predefined. */
#define CODEC_OBJECT_POINTER(class, app_null, host_null)                                           \
    static inline host_##class class##_to_host(app_##class handle)                                 \
    {                                                                                              \
        return handle == app_null ? host_null : (host_##class)handle;                              \
    }                                                                                              \
    static inline app_##class class##_to_app(host_##class handle)                                  \
    {                                                                                              \
        return handle == host_null ? app_null : (app_##class)handle;                               \
    }

/* The same, where the application's predefined handle is a number. */
#define CODEC_POINTER_OBJECT(class, app_null, host_null) CODEC_OBJECT_POINTER(class, app_null, host_null)

/* A dynamic handle of the application's as the host's pointer, or a null pointer. */
static inline void *integer_to_pointer(int32_t handle)
{
    return (void *)(likely(is_compressed(handle)) ? expand(handle) : expand_slow(handle));
}

#define CODEC_INT_OBJECT_ENCODE(class)                                                             \
    static inline app_##class class##_to_app(host_##class handle)                                  \
    {                                                                                              \
        const struct predefined *found = predefined_find(&predefined_##class, (intptr_t)handle);   \
        return (app_##class){ found ? (int32_t)found->app : compress((intptr_t)handle) };          \
    }

/* Predefined handles that are not negative are told apart by their lower byte. The few that are
 * negative, and pointers that do not fit a compressed handle, share one cold path. */
#define CODEC_INT_OBJECT_TABLE(class)                                                              \
    static COLD __attribute__((unused)) host_##class class##_to_host_slow(int32_t handle)          \
    {                                                                                              \
        intptr_t found = expand_slow(handle);                                                      \
        return (host_##class)(found ? found : predefined_negative(class##_number, handle));        \
    }                                                                                              \
    static inline host_##class class##_to_host(app_##class handle)                                 \
    {                                                                                              \
        if (likely(handle.value >= 0))                                                             \
            return (host_##class)class##_table[handle.value & 0xff];                               \
        if (likely(is_compressed(handle.value)))                                                   \
            return (host_##class)expand(handle.value);                                             \
        return class##_to_host_slow(handle.value);                                                 \
    }                                                                                              \
    CODEC_INT_OBJECT_ENCODE(class)

#define CODEC_INT_OBJECT_NULL_ONLY(class, app_null, host_null)                                     \
    static inline host_##class class##_to_host(app_##class handle)                                 \
    {                                                                                              \
        if (likely(is_compressed(handle.value)))                                                   \
            return (host_##class)expand(handle.value);                                             \
        return handle.value == (app_null).value ? host_null : (host_##class)expand_slow(handle.value); \
    }                                                                                              \
    static inline app_##class class##_to_app(host_##class handle)                                  \
    {                                                                                              \
        return handle == host_null ? app_null : (app_##class){ compress((intptr_t)handle) };       \
    }

#endif
