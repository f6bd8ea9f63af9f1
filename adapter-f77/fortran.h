/* SPDX-License-Identifier: BSD-3-Clause */
/* Fortran's values, and how they become those of C programs of the same ABI (MPI-4.1 sections 19.1
 * and 19.3): handles, LOGICALs, strings, statuses, and the constants that are addresses.
 *
 * Statuses have one layout in both languages: an array of MPI_STATUS_SIZE integers, or
 * TYPE(MPI_Status), is the structure of C. */
#ifndef FORTRAN_H
#define FORTRAN_H

#include <string.h>

#ifdef FORTRAN_ALONE
#include "alone/alone.h"
#elif !defined FORTRAN_LIBRARY
#include "convert/adapter.h"
#endif
#include "base/handle_tables.h"
#include "base/share.h"
#ifndef FORTRAN_ALONE
#include "convert/predefined.h"
#endif
#include "convert/room.h"
#include "fortran_config.h"

/* Calls a C procedure: by MPI_X, which a tool may override, if the application's own Fortran library calls it so; else
 * directly. */
#if APP_FORTRAN_CALLS_TOOLS
#define CALL(name) name
#else
#define CALL(name) direct_##name
#endif

/* The code of an entry point; its names are set beside it. */
#define ENTRY static __attribute__((used))

/* Elements of an array, and bytes of a string, that are staged without memory from the heap. */
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
/* The same by the names that they have in programs of Intel's compilers. */
extern HIDDEN const struct fortran_sentinels f08_twins;

/* The symbols of both; a null symbol ends the table. */
extern HIDDEN const struct sentinel sentinel_symbols[];

/* The values of .TRUE. and .FALSE. in the application's compiler (abi-tables/compilers). */
extern HIDDEN int fortran_true, fortran_false;

/* Convert a LOGICAL and a flag of C's. */
INLINE int logical_from_fortran(MPI_Fint logical) { return logical != fortran_false; }
INLINE MPI_Fint logical_to_fortran(int flag) { return flag ? fortran_true : fortran_false; }

#if APP_HAS_F08_SENTINELS
#define IS_SENTINEL(address, name) (unlikely((address) == (const void *)fortran_sentinels.name) || \
                                    unlikely((address) == (const void *)f08_sentinels.name))
#else
#define IS_SENTINEL(address, name) unlikely((address) == (const void *)fortran_sentinels.name)
#endif

#if APP_HAS_F08_TWINS
#define HAS_TWIN(address, name) unlikely((address) == (const void *)f08_twins.name)
#else
#define HAS_TWIN(address, name) 0
#endif
/* For the constants that have twins. */
#define IS_ANY_SENTINEL(address, name) (IS_SENTINEL(address, name) || HAS_TWIN(address, name))

/* Convert an argument that is an address: C's constant in the place of Fortran's sentinel (MPI-4.1 section 2.5.4), else the
 * address. */
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
    return IS_ANY_SENTINEL(weights, unweighted)      ? APP_MPI_UNWEIGHTED
           : IS_ANY_SENTINEL(weights, weights_empty) ? APP_MPI_WEIGHTS_EMPTY
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

/* Stores the code, unless `ierror` is null: the argument is optional in mpi_f08. */
INLINE void set_ierror(MPI_Fint *ierror, int rc)
{
    if (likely(ierror != 0))
        *ierror = rc;
}

/* Stores an INOUT argument that changed. One that did not may be a constant, such as MPI_OP_NULL, in read-only memory. */
INLINE void set_inout(MPI_Fint *argument, MPI_Fint value)
{
    if (*argument != value)
        *argument = value;
}

/* Stores the index of a request, which counts from 1, of a call that returned `rc` (MPI-4.1 section 3.7.5). */
INLINE void set_index(MPI_Fint *index, int rc, int its_index)
{
    if (likely(rc == 0) || its_index >= 0)
        *index = its_index >= 0 ? its_index + 1 : its_index;
}

/* Returns C's keyval for one of Fortran's. Predefined ones may differ. */
static inline int keyval_from_fortran(MPI_Fint keyval)
{
    for (const struct fortran_keyval *row = fortran_keyvals; row->c != 0; row++)
        if (row->fortran == keyval)
            return row->c;
    return keyval;
}

/* ---------------------------------------------------------------- handles */

/* fortran_convert.h has, for each class of handles, from templates/fortran-handle-*.c and templates/fortran-stage-*.c:
 * class_from_fortran() and class_to_fortran(), and for arrays class_stage_fortran(), which makes C's of Fortran's in `local`, which has
 * FORTRAN_LOCAL elements, or in memory from the heap, class_unstage_fortran(), which frees that, class_stage_inout() for INOUT
 * arguments, and class_restore_inout(), which writes back what changed and frees it too. If memory runs out C's array is null.
 *
 * class_from_number() and class_to_number(), from templates/fortran-number-*.c, convert the integer of a handle that Fortran has no
 * value of its own for. */
#ifdef FORTRAN_ALONE
#include "alone/handles.h"
#elif defined FORTRAN_LIBRARY
#include "numbers.h"
#else
#include "base/numbers.h"
#endif
#include "fortran_convert.h"

/* ---------------------------------------------------------------- arrays and strings */

/* Convert LOGICALs to C's flags, and INTEGERs to addresses: in `local`, which has FORTRAN_LOCAL elements, or in memory from
 * the heap. Return null if memory runs out. */
int *logicals_from_fortran(int *local, const MPI_Fint *from, int count);
MPI_Aint *widen(MPI_Aint *local, const MPI_Fint *from, int count);

/* Converts C's flags to LOGICALs, in place. Elements that the host left alone keep their values. */
void logicals_to_fortran(MPI_Fint *flags, int count);

/* Returns a string without the blanks around it, in `local` of FORTRAN_TEXT bytes or memory from the heap; null if memory
 * runs out. */
char *string_from_fortran(char *local, const char *from, size_t length);
/* Fills a variable with a string, cut or padded with blanks. */
void string_to_fortran(char *to, size_t length, const char *from);

/* Frees the memory of the above unless it is `local`. */
static inline void fortran_unstage(void *staged, void *local)
{
    unstage(staged, local);
}

#endif
