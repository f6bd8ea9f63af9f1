/* SPDX-License-Identifier: BSD-3-Clause */
/* Handle codecs: class_to_host() and class_to_app() for a class of handles, without a table of
 * live handles. Which one serves a class follows from how either side represents it, and from its
 * predefined handles (abi-tables/codecs):
 *
 *   OBJECT   a predefined handle is the address of a data object (Open MPI)
 *   INT      a 32-bit integer (MPICH)
 *   POINTER  a pointer whose predefined values are small numbers (the standard ABI, MPICH's MPI_File)
 *
 * Besides the class and its null handles a codec may use class_predefined(FIRST, OTHER), which is
 * FIRST(application's, host's) of the most used predefined handle and OTHER() of the rest. */
#ifndef CODEC_H
#define CODEC_H

#include <string.h>

#include "application.h"
#include "convert/compress.h"
#include "convert/four.h"
#include "convert/predefined.h"
#include "convert/preserving.h"
#include "convert/special_requests.h"
#include "host.h"

/* Yields the host's handle for a small number of the application's that is no handle, if the host's handles are addresses. */
#define NO_CODE(class, host_null)                                                                  \
    ((class##_number == CLASS_REQUEST ? note_no_request() : (void)0),                              \
     NULL_IS_TAKEN(class##_number) ? (host_##class)0 : (host_null))

/* Defines class_at(), which is class_to_app() of a handle that lies at an address. */
#define CODEC_AT(class)                                                                            \
    INLINE app_##class class##_at(const host_##class *handle) { return class##_to_app(*handle); }

/* Defines two functions of a class whose host handles are integers. class_is_predefined() returns whether a handle is predefined,
 * without a look into memory. class_upper_half() returns the upper half of a predefined handle's word, else 0. `word` is an
 * expression of `handle`. */
#define CODEC_INT_PREDEFINED(class, condition, word)                                               \
    INLINE int class##_is_predefined(app_##class handle) { return condition; }                     \
    INLINE int32_t class##_upper_half(app_##class handle)                                          \
    {                                                                                              \
        return class##_is_predefined(handle) ? (int32_t)((word) >> 32) : 0;                        \
    }

/* Predefined handles are decoded by loading the object's word. A null pointer is decoded to 0,
 * which the host reports as an invalid handle. */
#define CODEC_OBJECT_INT_DECODE(class)                                                             \
    INLINE host_##class class##_to_host(app_##class handle)                                 \
    {                                                                                              \
        intptr_t bits = (intptr_t)handle;                                                          \
        return (host_##class){ likely(bits > 0) ? (int32_t)((const struct app_object *)bits)->word \
                                                : (int32_t)bits };                                 \
    }                                                                                              \
    CODEC_INT_PREDEFINED(class, (intptr_t)handle > 0, ((const struct app_object *)handle)->word)

#define CODEC_INT_ENCODE(class, POSITIVE)                                                          \
    INLINE app_##class class##_to_app(host_##class handle)                                         \
    {                                                                                              \
        if (POSITIVE && likely(handle.value < 0))                                                  \
            return DYNAMIC_OBJECT(app_##class, handle.value);                                      \
        const struct predefined *found = predefined_find(&predefined_##class, handle.value);       \
        return found ? (app_##class)found->app : DYNAMIC_OBJECT(app_##class, handle.value);        \
    }                                                                                              \
    CODEC_AT(class)
#define CODEC_OBJECT_INT(class, app_null, host_null) CODEC_OBJECT_INT_DECODE(class) CODEC_INT_ENCODE(class, 0)

/* No predefined handle of the class has bit 31 set, so a handle with it is dynamic. */
#define CODEC_OBJECT_INT_POSITIVE(class, app_null, host_null) CODEC_OBJECT_INT_DECODE(class) CODEC_INT_ENCODE(class, 1)

/* A class whose only predefined handle is the null handle. */
#define CODEC_OBJECT_INT_NULL_ONLY(class, app_null, host_null)                                     \
    CODEC_OBJECT_INT_DECODE(class)                                                                 \
    CODEC_INT_ENCODE_NULL_ONLY(class, app_null, host_null)
#define CODEC_INT_ENCODE_NULL_ONLY(class, app_null, host_null)                                     \
    INLINE app_##class class##_to_app(host_##class handle)                                  \
    {                                                                                              \
        return handle.value == (host_null).value ? app_null                                        \
                                                 : DYNAMIC_OBJECT(app_##class, handle.value);      \
    }                                                                                              \
    CODEC_AT(class)                                                                                \
    /* Four at once, or zero if one of them is not dynamic. */                                      \
    INLINE int class##_four_to_host(host_##class *to, const app_##class *from)                      \
    {                                                                                              \
        four_ints one = load_four(from), other = load_four(from + 2);                              \
        if (unlikely(!all_true(upper_halves(one, other))))                                         \
            return 0;                                                                              \
        store_four(to, lower_halves(one, other));                                                  \
        return 1;                                                                                  \
    }

/* Such a class's new handle is written by the host into the application's variable, which class_lend() lends
 * it: the handle is the variable's lower half. class_settle() then completes it. class_spoil() does so after a failure
 * that left the null handle there; a host that left nothing left the variable as it was. */
#define CODEC_OBJECT_INT_LENT(class, app_null, host_null)                                          \
    _Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "a word's lower half comes first");  \
    INLINE host_##class *class##_lend(app_##class *variable) { return (host_##class *)(void *)variable; } \
    INLINE void class##_settle(app_##class *variable)                                              \
    {                                                                                              \
        int32_t halves[2];                                                                         \
        memcpy(halves, variable, sizeof halves);                                                   \
        if (unlikely(halves[0] == (host_null).value))                                              \
            *variable = app_null;                                                                  \
        else                                                                                       \
            memset((char *)variable + 4, 0xff, 4);                                                 \
    }                                                                                              \
    INLINE void class##_spoil(app_##class *variable)                                               \
    {                                                                                              \
        int32_t half = ~(host_null).value;                                                         \
        if (variable)                                                                              \
            memcpy(&half, variable, sizeof half);                                                  \
        if (half == (host_null).value)                                                             \
            *variable = app_null;                                                                  \
    }

/* Defines class_four_to_host() for classes in which converting four at once does not pay: it refuses. */
#define CODEC_ONE_BY_ONE(class)                                                                    \
    INLINE int class##_four_to_host(host_##class *to, const app_##class *from) { return 0; }

/* Both sides' handles are pointers, and only the null handle is predefined: four at once, two in a register, by
 * TO_HOST. ALIKE is true of each of the application's four that TO_HOST is right for. */
#define CODEC_POINTER_FOUR(class, ALIKE, TO_HOST)                                                  \
    INLINE int class##_four_to_host(host_##class *to, const app_##class *from)                     \
    {                                                                                              \
        const four_ints one = load_four(from), other = load_four(from + 2);                        \
        if (unlikely(!all_true(ALIKE(one, other))))                                                \
            return 0;                                                                              \
        store_four(to, TO_HOST(one));                                                              \
        store_four(to + 2, TO_HOST(other));                                                        \
        return 1;                                                                                  \
    }
#define UNCHANGED(halves) (halves)

/* The application's predefined handles are small numbers, below class_span. The host's handles for them are in class_table; other
 * small numbers lead to 0 there. A larger number is the host's handle, as for CODEC_OBJECT_INT. The host rejects one that is not
 * negative. */
#define CODEC_POINTER_INT_DECODE(class)                                                            \
    extern HIDDEN intptr_t class##_table[class##_span];                                            \
    INLINE host_##class class##_to_host(app_##class handle)                                        \
    {                                                                                              \
        uint64_t place = (uint64_t)(intptr_t)handle;                                               \
        return (host_##class){ likely(place < class##_span) ? (int32_t)class##_table[place]        \
                                                            : (int32_t)(intptr_t)handle };         \
    }                                                                                              \
    CODEC_INT_PREDEFINED(class, (uint64_t)(intptr_t)handle < class##_span, class##_table[(intptr_t)handle])
#define CODEC_POINTER_INT_TABLE(class, app_null, host_null) CODEC_POINTER_INT_DECODE(class) CODEC_INT_ENCODE(class, 0)
#define CODEC_POINTER_INT_POSITIVE_TABLE(class, app_null, host_null) CODEC_POINTER_INT_DECODE(class) CODEC_INT_ENCODE(class, 1)
#define CODEC_POINTER_INT_NULL_ONLY(class, app_null, host_null)                                    \
    INLINE host_##class class##_to_host(app_##class handle)                                        \
    {                                                                                              \
        return handle == app_null ? host_null : (host_##class){ (int32_t)(intptr_t)handle };       \
    }                                                                                              \
    CODEC_INT_ENCODE_NULL_ONLY(class, app_null, host_null)

/* The same for hosts whose handles are addresses, which are the application's handles unchanged. A small number that is no handle
 * leads to NO_CODE(), because the host would read memory at that address. */
#define CODEC_POINTER_OBJECT_TABLE(class, app_null, host_null)                                     \
    extern HIDDEN intptr_t class##_table[class##_span];                                            \
    INLINE host_##class class##_to_host(app_##class handle)                                        \
    {                                                                                              \
        uint64_t place = (uint64_t)(intptr_t)handle;                                               \
        if (likely(place < class##_span))                                                          \
            return (host_##class)class##_table[place];                                             \
        return likely(place >= PREDEFINED_CODES) ? (host_##class)handle : NO_CODE(class, host_null); \
    }                                                                                              \
    INLINE app_##class class##_to_app(host_##class handle)                                         \
    {                                                                                              \
        const struct predefined *found = predefined_find(&predefined_##class, (intptr_t)handle);   \
        return found ? (app_##class)found->app : (app_##class)handle;                              \
    }                                                                                              \
    CODEC_AT(class)
#define CODEC_POINTER_OBJECT_NULL_ONLY(class, app_null, host_null)                                 \
    INLINE host_##class class##_to_host(app_##class handle)                                        \
    {                                                                                              \
        if (likely((uint64_t)(intptr_t)handle >= PREDEFINED_CODES))                                \
            return (host_##class)handle;                                                           \
        return !NULL_IS_TAKEN(class##_number) || handle == app_null ? host_null : NO_CODE(class, host_null); \
    }                                                                                              \
    INLINE app_##class class##_to_app(host_##class handle)                                         \
    {                                                                                              \
        return handle == host_null ? app_null : (app_##class)handle;                               \
    }                                                                                              \
    CODEC_AT(class)                                                                                \
    CODEC_POINTER_FOUR(class, NO_CODES, UNCHANGED)
#define NO_CODES(one, other) ((upper_halves(one, other) | (lower_halves(one, other) & FOUR(-PREDEFINED_CODES))) != 0)

/* The host's pointers have 63 bits that count: addresses are below 2^47, and an implementation that has integers
 * behind them gives these a sign or none. The application's has the uppermost bit set, which no address of an
 * object has. */
#define CODEC_OBJECT_POINTER_DECODE(class)                                                         \
    INLINE host_##class class##_to_host(app_##class handle)                                        \
    {                                                                                              \
        intptr_t bits = (intptr_t)handle;                                                          \
        return (host_##class)(likely(bits > 0) ? ((const struct app_object *)bits)->word           \
                                               : (intptr_t)((uint64_t)bits << 1) >> 1);            \
    }
#define DYNAMIC_POINTER(type, handle) ((type)((intptr_t)(handle) | INTPTR_MIN))
#define CODEC_OBJECT_POINTER(class, app_null, host_null)                                           \
    CODEC_OBJECT_POINTER_DECODE(class)                                                             \
    INLINE app_##class class##_to_app(host_##class handle)                                         \
    {                                                                                              \
        const struct predefined *found = predefined_find(&predefined_##class, (intptr_t)handle);   \
        return found ? (app_##class)found->app : DYNAMIC_POINTER(app_##class, handle);             \
    }                                                                                              \
    CODEC_AT(class)
#define CODEC_OBJECT_POINTER_NULL_ONLY(class, app_null, host_null)                                 \
    CODEC_OBJECT_POINTER_DECODE(class)                                                             \
    INLINE app_##class class##_to_app(host_##class handle)                                         \
    {                                                                                              \
        return handle == host_null ? app_null : DYNAMIC_POINTER(app_##class, handle);              \
    }                                                                                              \
    CODEC_AT(class)                                                                                \
    CODEC_POINTER_FOUR(class, upper_halves, DROP_TOP_BITS)
#define DROP_TOP_BITS(halves)                                                                      \
    ((four_ints)(((two_ulongs)(halves) << 1 >> 1) | ((two_ulongs)(halves) << 1 & (two_ulongs)TWO(INTPTR_MIN))))

/* Both sides use pointers, and only the null handle is predefined. */
#define CODEC_POINTERS_NULL_ONLY(class, app_null, host_null)                                       \
    INLINE host_##class class##_to_host(app_##class handle)                                 \
    {                                                                                              \
        return handle == app_null ? host_null : (host_##class)handle;                              \
    }                                                                                              \
    INLINE app_##class class##_to_app(host_##class handle)                                  \
    {                                                                                              \
        return handle == host_null ? app_null : (app_##class)handle;                               \
    }                                                                                              \
    CODEC_AT(class)                                                                                \
    CODEC_ONE_BY_ONE(class)

/* Returns the host's pointer for a handle that is neither compressed nor in a table: the pointer that did not fit, or the result
 * of predefined_number(). */
COLD HIDDEN intptr_t integer_slow(int32_t handle, int handle_class);

/* Called while the arguments of a hot wrapper are in their registers: saves 2 to 12 instructions of each call, 14 to 19 %
 * of a host's MPI_Comm_rank and MPI_Type_size. */
PRESERVING(integer_to_pointer_slow, integer_slow)

/* Returns the host's pointer for a dynamic handle of the application's; for a number that is no handle, predefined_number(). */
INLINE void *integer_to_pointer(int32_t handle, const int handle_class)
{
    intptr_t pointer = expand_handle(handle, handle_class == CLASS_COMM);
    return (void *)(likely(is_pointer(pointer)) ? pointer : integer_to_pointer_slow(unexpanded(pointer), handle_class));
}

#define CODEC_INT_OBJECT_ENCODE(class)                                                             \
    INLINE app_##class class##_to_app(host_##class handle)                                  \
    {                                                                                              \
        const struct predefined *found = predefined_find(&predefined_##class, (intptr_t)handle);   \
        return (app_##class){ found ? (int32_t)found->app : compress_pointer((intptr_t)handle, class##_number) };          \
    }                                                                                              \
    CODEC_AT(class)

/* Makes the compiler forget what a value was computed from: it would keep that in a register, too. That saves an instruction of
 * each call that converts a datatype, 6 % of a host's MPI_Type_size. A world that is a constant to the host is loaded where it is
 * found, not ahead of the comparison, which would keep the argument elsewhere: 3 instructions of MPI_Isend, of 21. */
#define FORGET(value) __asm__("" : "+r"(value))

/* Most predefined handles are numbers from class_first on. predefined_number() answers for the numbers in
 * between. */
#define CODEC_INT_OBJECT_TABLE(class, app_null, host_null)                                         \
    extern HIDDEN intptr_t class##_table[class##_span];                                            \
    INLINE host_##class class##_to_host(app_##class handle)                                        \
    {                                                                                              \
        uint64_t place = (uint32_t)handle.value - (uint32_t)class##_first;                         \
        FORGET(place);                                                                             \
        if (likely(place < class##_span))                                                          \
            return (host_##class)class##_table[place];                                             \
        return (host_##class)integer_to_pointer((int32_t)(place + class##_first), class##_number); \
    }                                                                                              \
    CODEC_INT_OBJECT_ENCODE(class)

/* Predefined handles are told apart by one comparison after the other. */
#define CODEC_INT_OBJECT(class, app_null, host_null)                                               \
    INLINE host_##class class##_to_host(app_##class handle)                                        \
    {                                                                                              \
        const int with_predefined = class##_number == CLASS_COMM;                                  \
        class##_predefined(INT_OBJECT_FIRST, INT_OBJECT_OTHER)                                     \
        return (host_##class)integer_to_pointer_slow(number, class##_number);                      \
    }                                                                                              \
    CODEC_INT_OBJECT_ENCODE(class)
#define INT_OBJECT_FIRST(app, host)                                                                \
    if (likely(handle.value == (app).value)) {                                                     \
        __typeof__(host) its_host = (host);                                                        \
        if (with_predefined && __builtin_constant_p((intptr_t)(host)))                             \
            FORGET(its_host);                                                                      \
        return its_host;                                                                           \
    }                                                                                              \
    intptr_t pointer = expand_handle(handle.value, with_predefined);                               \
    if (likely(is_pointer(pointer))) return (__typeof__(host))pointer;                             \
    int32_t number = unexpanded(pointer);
#define INT_OBJECT_OTHER(app, host) if (unlikely(number == (app).value)) return host;

#define IS_REQUEST(class) (class##_number == CLASS_REQUEST)
#define IS_NULL_REQUEST(handle) ((handle).value == (APP_NULL_request).value)

/* Only the null handle is predefined. That of requests is told like any other object's handle (predefined.c);
 * those of other classes may have the same number. */
#define CODEC_INT_OBJECT_NULL_ONLY(class, app_null, host_null)                                     \
    INLINE host_##class class##_to_host(app_##class handle)                                        \
    {                                                                                              \
        if (!IS_REQUEST(class) && IS_NULL_REQUEST(app_null) && IS_NULL_REQUEST(handle))            \
            return host_null;                                                                      \
        intptr_t pointer = expand_handle(handle.value, 0);                                         \
        if (likely(is_pointer(pointer)))                                                           \
            return (host_##class)pointer;                                                          \
        int32_t number = unexpanded(pointer);                                                      \
        if (number == (app_null).value)                                                            \
            return host_null;                                                                      \
        return (host_##class)integer_to_pointer_slow(number, class##_number);                      \
    }                                                                                              \
    INLINE app_##class class##_at(const host_##class *at)                                          \
    {                                                                                              \
        if (!IS_REQUEST(class) && *at == host_null)                                                \
            return app_null;                                                                       \
        uint64_t handle = compressed_at((const intptr_t *)(const void *)at);                       \
        if (likely(is_compressed(handle)))                                                         \
            return (app_##class){ (int32_t)handle };                                               \
        return *at == host_null ? app_null                                                         \
                                : (app_##class){ compress_elsewhere((intptr_t)*at, class##_number) }; \
    }                                                                                              \
    INLINE app_##class class##_to_app(host_##class handle) { return class##_at(&handle); }         \
    INLINE int class##_four_to_host(host_##class *to, const app_##class *from)                     \
    {                                                                                              \
        return expand_four((intptr_t *)(void *)to, (const int32_t *)(const void *)from);           \
    }

#endif
