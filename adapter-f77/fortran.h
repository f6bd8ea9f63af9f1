/* SPDX-License-Identifier: BSD-3-Clause */
/* Fortran's values, and how they become those of C programs of the same ABI (MPI-4.1 sections 19.1
 * and 19.3): handles, LOGICALs, strings, statuses, and the constants that are addresses.
 *
 * Statuses have one layout in both languages: an array of MPI_STATUS_SIZE integers, or
 * TYPE(MPI_Status), is the structure of C. */
#ifndef FORTRAN_H
#define FORTRAN_H

#include "convert/adapter.h"
#include "fortran_config.h"
#include "base/share.h"

/* How the C procedures are called: by the name that a tool may take (MPI_X) if the application's
 * own Fortran library calls them by it, else directly. */
#if APP_FORTRAN_CALLS_TOOLS
#define CALL(name) name
#else
#define CALL(name) direct_##name
#endif

/* The code of an entry point; its names are set beside it. */
#define ENTRY static __attribute__((used))

/* Elements that are staged without memory from the heap. */
#define FORTRAN_LOCAL 64
#define FORTRAN_TEXT 512

/* The addresses that stand for constants: of variables in common blocks, which may lie in the
 * executable. fortran_data.c has those of mpif.h; a null pointer is one that the ABI lacks. */
struct fortran_sentinels {
    const void *bottom, *in_place, *status_ignore, *statuses_ignore, *errcodes_ignore, *unweighted,
        *weights_empty, *argv_null, *argvs_null, *buffer_automatic;
};
extern HIDDEN struct fortran_sentinels fortran_sentinels;
/* The same of mpi_f08, where it has variables of its own. */
extern HIDDEN const struct fortran_sentinels f08_sentinels;

/* The symbols of both; a null symbol ends the table. */
extern HIDDEN const struct sentinel sentinel_symbols[];

/* The values of .TRUE. and .FALSE. in the application's compiler (abi-tables/compilers). */
extern HIDDEN int fortran_true, fortran_false;

INLINE int logical_from_fortran(MPI_Fint logical) { return logical != fortran_false; }
INLINE MPI_Fint logical_to_fortran(int flag) { return flag ? fortran_true : fortran_false; }

#if APP_HAS_F08_SENTINELS
#define IS_SENTINEL(address, name) (unlikely((address) == (const void *)fortran_sentinels.name) || \
                                    unlikely((address) == (const void *)f08_sentinels.name))
#else
#define IS_SENTINEL(address, name) unlikely((address) == (const void *)fortran_sentinels.name)
#endif

INLINE void *buffer_from_fortran(void *buffer)
{
    return IS_SENTINEL(buffer, bottom) ? APP_MPI_BOTTOM : buffer;
}

INLINE void *coll_buffer_from_fortran(void *buffer)
{
    return IS_SENTINEL(buffer, in_place) ? APP_MPI_IN_PLACE : buffer_from_fortran(buffer);
}

INLINE void *attached_buffer_from_fortran(void *buffer)
{
    return buffer && IS_SENTINEL(buffer, buffer_automatic) ? APP_MPI_BUFFER_AUTOMATIC
                                                                                       : buffer;
}

INLINE int *weights_from_fortran(MPI_Fint *weights)
{
    return IS_SENTINEL(weights, unweighted)      ? APP_MPI_UNWEIGHTED
           : IS_SENTINEL(weights, weights_empty) ? APP_MPI_WEIGHTS_EMPTY
                                                 : weights;
}

INLINE app_status *status_from_fortran(MPI_Fint *status)
{
    return IS_SENTINEL(status, status_ignore) ? APP_MPI_STATUS_IGNORE : (app_status *)(void *)status;
}

INLINE app_status *statuses_from_fortran(MPI_Fint *statuses)
{
    return IS_SENTINEL(statuses, statuses_ignore) ? APP_MPI_STATUSES_IGNORE : (app_status *)(void *)statuses;
}

/* ierror is optional in mpi_f08: a null pointer. */
INLINE void set_ierror(MPI_Fint *ierror, int rc)
{
    if (likely(ierror != 0))
        *ierror = rc;
}

/* Keyvals that mpif.h numbers differently from mpi.h; ends with C's value 0. */
extern HIDDEN const struct fortran_keyval {
    MPI_Fint fortran;
    int c;
} fortran_keyvals[];

static inline int keyval_from_fortran(MPI_Fint keyval)
{
    for (const struct fortran_keyval *row = fortran_keyvals; row->c != 0; row++)
        if (row->fortran == keyval)
            return row->c;
    return keyval;
}

/* ---------------------------------------------------------------- handles */

/* The integer of a handle that Fortran has no value of its own for: the host's where that is an integer,
 * else a shorter form of its address (compress.h), which the library for C finds. */
#define FORTRAN_NUMBER_INT(CLASS, class)                                                           \
    INLINE app_##class class##_from_number(MPI_Fint number)                                        \
    {                                                                                              \
        return JOIN(FROM_NUMBER_, APP_##CLASS##_REPRESENTATION)(class, number, HOST_##CLASS##_FROM(number)); \
    }                                                                                              \
    INLINE MPI_Fint class##_to_number(app_##class handle)                                          \
    {                                                                                              \
        return (MPI_Fint)HOST_##CLASS##_BITS(class##_to_host(handle));                             \
    }
/* It needs no look whether it is predefined. */
#define FROM_NUMBER_OBJECT(class, number, host_handle) DYNAMIC_OBJECT(app_##class, number)
#define FROM_NUMBER_POINTER(class, number, host_handle) class##_to_app(host_handle)

#ifdef FORTRAN_LIBRARY
#define FORTRAN_NUMBER_POINTER(CLASS, class)                                                       \
    INLINE app_##class class##_from_number(MPI_Fint number) { return mpi_adapter_shared.class##_from_number(number); } \
    INLINE MPI_Fint class##_to_number(app_##class handle) { return mpi_adapter_shared.class##_to_number(handle); }
#else
#define FORTRAN_NUMBER_POINTER(CLASS, class)                                                       \
    static inline app_##class class##_from_number(MPI_Fint number)                                 \
    {                                                                                              \
        int is_predefined = (uint32_t)number < PREDEFINED_CODES;                                   \
        return class##_to_app((host_##class)(is_predefined ? (void *)(intptr_t)number              \
                                                           : integer_to_pointer(number, CLASS_##CLASS))); \
    }                                                                                              \
    static inline MPI_Fint class##_to_number(app_##class handle)                                   \
    {                                                                                              \
        intptr_t bits = HOST_##CLASS##_BITS(class##_to_host(handle));                              \
        return (uintptr_t)bits < PREDEFINED_CODES ? (MPI_Fint)bits : compress_pointer(bits, CLASS_##CLASS); \
    }
#endif
#define FORTRAN_NUMBER_OBJECT(CLASS, class) FORTRAN_NUMBER_POINTER(CLASS, class)

/* Arrays of handles that are no integers in C. */
#define FORTRAN_STAGE(class)                                                                       \
    static inline void class##_restore_fortran(MPI_Fint *to, const app_##class *from, int count)   \
    {                                                                                              \
        for (int i = 0; from && i < count; i++)                                                    \
            to[i] = class##_to_fortran(from[i]);                                                   \
    }                                                                                              \
    static inline app_##class *class##_stage_fortran(app_##class *local, const MPI_Fint *from, int count) \
    {                                                                                              \
        app_##class *staged = stage_room(local, count, sizeof *staged);                            \
        for (int i = 0; staged && i < count; i++)                                                  \
            staged[i] = class##_from_fortran(from[i]);                                             \
        return staged;                                                                             \
    }                                                                                              \
    FORTRAN_UNSTAGE(class)
#define FORTRAN_UNSTAGE(class)                                                                     \
    static inline void class##_unstage_fortran(app_##class *staged, app_##class *local)            \
    {                                                                                              \
        unstage(staged, local);                                                                    \
    }

/* If the host's integer is also Fortran's, it is the lower half of the application's negative handle: convert four at a time while all
 * are dynamic or, on the way back, null. */
#define FORTRAN_STAGE_INT(class)                                                                   \
    static inline void class##_restore_fortran(MPI_Fint *to, const app_##class *from, int count)   \
    {                                                                                              \
        const four_ints null_here = (four_ints)TWO((intptr_t)APP_NULL_##class), null_there = FOUR(fortran_##class.null); \
        int i = 0;                                                                                 \
        for (; from && i + 4 <= count; i += 4) {                                                   \
            four_ints one = load_four(from + i), other = load_four(from + i + 2);                  \
            if (all_true(equal_halves(one, other, null_here)))                                     \
                store_four(to + i, null_there);                                                    \
            else if (all_true(upper_halves(one, other)))                                           \
                store_four(to + i, lower_halves(one, other));                                      \
            else                                                                                   \
                break;                                                                             \
        }                                                                                          \
        for (; from && i < count; i++)                                                             \
            to[i] = class##_to_fortran(from[i]);                                                   \
    }                                                                                              \
    static inline app_##class *class##_stage_fortran(app_##class *local, const MPI_Fint *from, int count) \
    {                                                                                              \
        app_##class *staged = stage_room(local, count, sizeof *staged);                            \
        const four_ints upper = FOUR(-1), numbered = FOUR(fortran_##class.count - 1);              \
        int i = 0;                                                                                 \
        for (; staged && i + 4 <= count; i += 4) {                                                 \
            four_ints numbers = load_four(from + i);                                               \
            if (!all_true(numbers | (numbers > numbered)))                                         \
                break;                                                                             \
            store_four(staged + i, __builtin_shuffle(numbers, upper, (four_ints){ 0, 4, 1, 5 }));  \
            store_four(staged + i + 2, __builtin_shuffle(numbers, upper, (four_ints){ 2, 4, 3, 5 })); \
        }                                                                                          \
        for (; staged && i < count; i++)                                                           \
            staged[i] = class##_from_fortran(from[i]);                                             \
        return staged;                                                                             \
    }                                                                                              \
    FORTRAN_UNSTAGE(class)
#define FORTRAN_STAGE_OBJECT(class) FORTRAN_STAGE(class)
#define FORTRAN_STAGE_POINTER(class) FORTRAN_STAGE(class)

/* Elements of such an array that are staged without memory from the heap. */
#define FORTRAN_HANDLES(class) (sizeof(app_##class) == sizeof(MPI_Fint) ? 1 : FORTRAN_LOCAL)

/* If the application's predefined handles are addresses, mpif.h numbers those of a class from 0. The integer of any other handle is the
 * host's own, and never one of those numbers. Such a handle is negative in C. */
struct fortran_handles {
    int count;
    MPI_Fint null;
};

/* Releases with other library names (`renamed` in the families) have another handle for such a number, and another value for a constant
 * of mpi_f08. These are put in place when the libraries are loaded, if a program needs one of those libraries. Both end with null. */
extern HIDDEN const struct earlier_handle {
    intptr_t *place;
    intptr_t handle;
} earlier_handles[];
extern HIDDEN const struct earlier_constant {
    MPI_Fint *constant;
    MPI_Fint value;
} earlier_constants[];

/* In this library. */
static inline void take_earlier_handles(void)
{
    for (const struct earlier_handle *row = earlier_handles; row->place; row++)
        *row->place = row->handle;
}

#define FORTRAN_HANDLE_OBJECT(CLASS, class)                                                        \
    extern HIDDEN const struct fortran_handles fortran_##class;                                    \
    extern HIDDEN intptr_t fortran_##class##_handles[];                                            \
    INLINE app_##class class##_from_fortran(MPI_Fint integer)                                      \
    {                                                                                              \
        return likely((uint32_t)integer >= (uint32_t)fortran_##class.count)                        \
                   ? class##_from_number(integer)                                                  \
                   : (app_##class)fortran_##class##_handles[integer];                              \
    }                                                                                              \
    INLINE MPI_Fint class##_to_fortran(app_##class handle)                                         \
    {                                                                                              \
        if (likely((intptr_t)handle < 0))                                                          \
            return class##_to_number(handle);                                                      \
        return likely(handle == APP_NULL_##class)                                                  \
                   ? fortran_##class.null                                                          \
                   : predefined_to_fortran(fortran_##class.count, fortran_##class##_handles, (intptr_t)handle); \
    }                                                                                              \
    JOIN(FORTRAN_STAGE_, HOST_##CLASS##_REPRESENTATION)(class)

/* The application's handles are integers, the same in both languages; so are arrays of them. */
#define FORTRAN_HANDLE_INT(CLASS, class)                                                           \
    INLINE app_##class class##_from_fortran(MPI_Fint integer) { return APP_##CLASS##_FROM(integer); } \
    INLINE MPI_Fint class##_to_fortran(app_##class handle) { return (MPI_Fint)APP_##CLASS##_BITS(handle); } \
    INLINE void class##_restore_fortran(MPI_Fint *to, const app_##class *from, int count) {}       \
    INLINE app_##class *class##_stage_fortran(app_##class *local, const MPI_Fint *from, int count) \
    {                                                                                              \
        return (app_##class *)(void *)from;                                                        \
    }                                                                                              \
    INLINE void class##_unstage_fortran(app_##class *staged, app_##class *local) {}

/* The application's predefined handles are small numbers, the same in both languages. */
#define FORTRAN_HANDLE_POINTER(CLASS, class)                                                       \
    INLINE app_##class class##_from_fortran(MPI_Fint integer)                                      \
    {                                                                                              \
        return (uint32_t)integer < PREDEFINED_CODES ? (app_##class)(intptr_t)integer               \
                                                    : class##_from_number(integer);                \
    }                                                                                              \
    INLINE MPI_Fint class##_to_fortran(app_##class handle)                                         \
    {                                                                                              \
        return (uintptr_t)handle < PREDEFINED_CODES ? (MPI_Fint)(intptr_t)handle                   \
                                                    : class##_to_number(handle);                   \
    }                                                                                              \
    FORTRAN_STAGE(class)

#define FORTRAN_HANDLE(CLASS, class)                                                               \
    JOIN(FORTRAN_NUMBER_, HOST_##CLASS##_REPRESENTATION)(CLASS, class)                             \
    JOIN(FORTRAN_HANDLE_, APP_##CLASS##_REPRESENTATION)(CLASS, class)

HANDLE_CLASSES(FORTRAN_HANDLE)

/* ---------------------------------------------------------------- arrays and strings */

/* Like stage_ints(): LOGICALs as C's flags, INTEGERs as addresses. */
int *logicals_from_fortran(int *local, const MPI_Fint *from, int count);
/* C's flags as LOGICALs, in place; elements that the host left alone keep their values. */
void logicals_to_fortran(MPI_Fint *flags, int count);
MPI_Aint *widen(MPI_Aint *local, const MPI_Fint *from, int count);

/* A string without the blanks around it, in `local` of FORTRAN_TEXT bytes or memory from the heap;
 * null if memory is lacking. */
char *string_from_fortran(char *local, const char *from, size_t length);
/* Fills a variable with a string, cut or padded with blanks. */
void string_to_fortran(char *to, size_t length, const char *from);

static inline void fortran_unstage(void *staged, void *local)
{
    unstage(staged, local);
}

#endif
