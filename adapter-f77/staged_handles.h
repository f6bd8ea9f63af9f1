/* SPDX-License-Identifier: BSD-3-Clause */
/* Arrays of handles: class_stage_fortran() makes C's of Fortran's, and class_restore_fortran() writes them back. */
#ifndef STAGED_HANDLES_H
#define STAGED_HANDLES_H

#define FORTRAN_UNSTAGE(class)                                                                     \
    static inline void class##_unstage_fortran(app_##class *staged, app_##class *local)            \
    {                                                                                              \
        unstage(staged, local);                                                                    \
    }

#define FORTRAN_STAGE_POINTER(CLASS, class)                                                        \
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

/* If a handle's integer is its lower half, convert four at a time while all are dynamic or, on the way back, null. */
#define FORTRAN_STAGE_OBJECT(CLASS, class)                                                         \
    static inline void class##_restore_fortran(MPI_Fint *to, const app_##class *from, int count)   \
    {                                                                                              \
        const four_ints null_here = (four_ints)TWO((intptr_t)APP_NULL_##class), null_there = FOUR(fortran_##class.null); \
        const int fours = from && fortran_numbers[CLASS_##CLASS].upper ? count : 0;                        \
        int i = 0;                                                                                 \
        for (; i + 4 <= fours; i += 4) {                                                           \
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
    FORTRAN_UNSTAGE(class)

/* Handles that are the same in both languages. */
#define FORTRAN_STAGE_INT(CLASS, class)                                                            \
    INLINE void class##_restore_fortran(MPI_Fint *to, const app_##class *from, int count) {}       \
    INLINE app_##class *class##_stage_fortran(app_##class *local, const MPI_Fint *from, int count) \
    {                                                                                              \
        return (app_##class *)(void *)from;                                                        \
    }                                                                                              \
    INLINE void class##_unstage_fortran(app_##class *staged, app_##class *local) {}

#define FORTRAN_STAGED(CLASS, class) JOIN(FORTRAN_STAGE_, APP_##CLASS##_REPRESENTATION)(CLASS, class)
HANDLE_CLASSES(FORTRAN_STAGED)

/* Elements of such an array that are staged without memory from the heap. */
#define FORTRAN_HANDLES(class) (sizeof(app_##class) == sizeof(MPI_Fint) ? 1 : FORTRAN_LOCAL)

#endif
