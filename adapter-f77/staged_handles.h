/* SPDX-License-Identifier: BSD-3-Clause */
/* Arrays of handles, as fortran.h says, by the kinds that the application has. */
#ifndef STAGED_HANDLES_H
#define STAGED_HANDLES_H

/* Stores four integers unless they are there already: see set_inout(). */
INLINE void set_four(MPI_Fint *argument, four_ints value)
{
    if (!all_true(load_four(argument) == value))
        store_four(argument, value);
}

#define FORTRAN_STAGE_POINTER(CLASS, class) FORTRAN_STAGE_SINGLY(class)

/* If a handle's integer is its lower half, convert four at a time while all are dynamic or, on the way back, null. */
#define FORTRAN_STAGE_OBJECT(CLASS, class)                                                         \
    INLINE int restore_fours_##class(MPI_Fint *to, const app_##class *from, int count)             \
    {                                                                                              \
        const four_ints null_here = (four_ints)TWO((intptr_t)APP_NULL_##class), null_there = FOUR(fortran_##class.null); \
        const int fours = from && fortran_numbers[CLASS_##CLASS].upper ? count : 0;                \
        int i = 0;                                                                                 \
        for (; i + 4 <= fours; i += 4) {                                                           \
            four_ints one = load_four(from + i), other = load_four(from + i + 2);                  \
            if (all_true(equal_halves(one, other, null_here)))                                     \
                set_four(to + i, null_there);                                                      \
            else if (all_true(upper_halves(one, other)))                                           \
                set_four(to + i, lower_halves(one, other));                                        \
            else                                                                                   \
                break;                                                                             \
        }                                                                                          \
        return i;                                                                                  \
    }                                                                                              \
    static inline app_##class *class##_stage_fortran(app_##class *local, const MPI_Fint *from, int count) \
    {                                                                                              \
        app_##class *staged = stage_room(local, count, sizeof *staged);                            \
        const four_ints upper = FOUR(-1), numbered = FOUR(fortran_##class.count - 1);              \
        const int fours = staged && fortran_numbers[CLASS_##CLASS].upper ? count : 0;                      \
        int i = 0;                                                                                 \
        for (; i + 4 <= fours; i += 4) {                                                           \
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
    FORTRAN_INOUT(class, int i = restore_fours_##class(to, from, count);)

/* Handles that are the same in both languages: C gets Fortran's array. An INOUT array that begins with a null handle may be a
 * constant: of it C gets a copy, which is written back if anything changed. */
#define FORTRAN_STAGE_INT(CLASS, class)                                                            \
    INLINE app_##class *class##_stage_fortran(app_##class *local, const MPI_Fint *from, int count) \
    {                                                                                              \
        return (app_##class *)(void *)from;                                                        \
    }                                                                                              \
    INLINE void class##_unstage_fortran(app_##class *staged, app_##class *local) {}                \
    INLINE app_##class *class##_stage_inout(app_##class *local, const MPI_Fint *from, int count)   \
    {                                                                                              \
        if (likely(count <= 0 || *from != (MPI_Fint)APP_##CLASS##_BITS(APP_NULL_##class)))                                   \
            return (app_##class *)(void *)from;                                                    \
        app_##class *staged = stage_room(local, count, sizeof *staged);                            \
        return staged ? memcpy(staged, from, (size_t)count * sizeof *staged) : 0;                  \
    }                                                                                              \
    static inline void class##_restore_inout(MPI_Fint *to, app_##class *from, app_##class *local, int count) \
    {                                                                                              \
        if (likely((MPI_Fint *)from == to) || !from)                                               \
            return;                                                                                \
        if (memcmp(to, from, (size_t)count * sizeof *to) != 0)                                     \
            memcpy(to, from, (size_t)count * sizeof *to);                                          \
        unstage(from, local);                                                                      \
    }

#define FORTRAN_STAGED(CLASS, class) JOIN(FORTRAN_STAGE_, APP_##CLASS##_REPRESENTATION)(CLASS, class)
HANDLE_CLASSES(FORTRAN_STAGED)

#endif
