/* SPDX-License-Identifier: BSD-3-Clause */
/* Fortran's part of Open MPI's C library: mpif.h's predefined callbacks, and functions that its own modules call. */
#include "module_callbacks.h"

#define MPIF_CALLBACK(name, NAME, function)                                                        \
    MANGLED(mpi_##name, MPI_##NAME, function) ALIAS(ompi_##name##_f, function)
CALLBACKS(MPIF_CALLBACK)
MPI1_CALLBACKS(MPIF_CALLBACK, duplicate_integer)
MANGLED(mpi_conversion_fn_null, MPI_CONVERSION_FN_NULL, convert_nothing)
ALIAS(mpi_conversion_fn_null_f, convert_nothing)

/* ---------------------------------------------------------------- functions
 * MPI_WTIME and its like in the module mpi. */

extern HIDDEN double direct_MPI_Wtime(void), direct_MPI_Wtick(void);

static inline MPI_Aint add(const MPI_Aint *base, const MPI_Aint *displacement) { return *base + *displacement; }
static inline MPI_Aint subtract(const MPI_Aint *left, const MPI_Aint *right) { return *left - *right; }
static inline double time_now(void) { return direct_MPI_Wtime(); }
static inline double time_tick(void) { return direct_MPI_Wtick(); }

MANGLED(mpi_aint_add_f90, MPI_AINT_ADD_F90, add)
MANGLED(mpi_aint_diff_f90, MPI_AINT_DIFF_F90, subtract)
MANGLED(mpi_wtime_f90, MPI_WTIME_F90, time_now)
MANGLED(mpi_wtick_f90, MPI_WTICK_F90, time_tick)
