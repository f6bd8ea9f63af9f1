// SPDX-License-Identifier: BSD-3-Clause
/* Procedures that MPI-3.0 removed, by today's, for programs that define MPI_ADAPTER_REMOVED. They are linked into the program itself. */
#include <stdlib.h>

#include "mpi.h"
#include "mpi_removed.h"

#pragma GCC visibility push(hidden)
__attribute__((weak)) char mpi_adapter_lb, mpi_adapter_ub;

/* The bounds that markers among the members give a type. */
struct bounds {
    int has_lower, has_upper;
    MPI_Aint lower, upper;
};

/* Notes a marker: the lowest of the lower bounds counts, and the highest of the upper ones. */
static void note_marker(struct bounds *bounds, MPI_Datatype marker, MPI_Aint at)
{
    if (marker == MPI_LB) {
        bounds->lower = bounds->has_lower && bounds->lower < at ? bounds->lower : at;
        bounds->has_lower = 1;
    } else {
        bounds->upper = bounds->has_upper && bounds->upper > at ? bounds->upper : at;
        bounds->has_upper = 1;
    }
}

/* Gives the type the bounds of its markers; others stay as the members make them. */
static int resize(const struct bounds *bounds, MPI_Datatype *type)
{
    MPI_Datatype whole = *type;
    MPI_Aint lower, extent, upper;
    int error = MPI_Type_get_extent(whole, &lower, &extent);
    if (error != MPI_SUCCESS)
        return error;
    upper = bounds->has_upper ? bounds->upper : lower + extent;
    lower = bounds->has_lower ? bounds->lower : lower;
    error = MPI_Type_create_resized(whole, lower, upper - lower, type);
    MPI_Type_free(&whole);
    return error;
}

__attribute__((weak)) int mpi_adapter_type_struct(int count, int lengths[], MPI_Aint displacements[], MPI_Datatype types[], MPI_Datatype *type)
{
    struct bounds bounds = { 0, 0, 0, 0 };
    size_t room = count > 0 ? (size_t)count : 1;
    int *kept_lengths = malloc(room * sizeof *kept_lengths), kept = 0, error;
    MPI_Aint *kept_displacements = malloc(room * sizeof *kept_displacements);
    MPI_Datatype *kept_types = malloc(room * sizeof *kept_types);
    if (!kept_lengths || !kept_displacements || !kept_types) {
        free(kept_lengths), free(kept_displacements), free(kept_types);
        MPI_Comm_call_errhandler(MPI_COMM_WORLD, MPI_ERR_NO_MEM);
        return MPI_ERR_NO_MEM;
    }
    for (int i = 0; i < count; i++) {
        if (types[i] == MPI_LB || types[i] == MPI_UB) {
            note_marker(&bounds, types[i], displacements[i]);
            continue;
        }
        kept_lengths[kept] = lengths[i];
        kept_displacements[kept] = displacements[i];
        kept_types[kept++] = types[i];
    }
    error = MPI_Type_create_struct(count < 0 ? count : kept, kept_lengths, kept_displacements, kept_types, type);
    if (error == MPI_SUCCESS && (bounds.has_lower || bounds.has_upper))
        error = resize(&bounds, type);
    free(kept_lengths), free(kept_displacements), free(kept_types);
    return error;
}

__attribute__((weak)) int mpi_adapter_type_extent(MPI_Datatype type, MPI_Aint *extent)
{
    MPI_Aint lower;
    return MPI_Type_get_extent(type, &lower, extent);
}

__attribute__((weak)) int mpi_adapter_type_lb(MPI_Datatype type, MPI_Aint *displacement)
{
    MPI_Aint extent;
    return MPI_Type_get_extent(type, displacement, &extent);
}

__attribute__((weak)) int mpi_adapter_type_ub(MPI_Datatype type, MPI_Aint *displacement)
{
    MPI_Aint lower = 0, extent = 0;
    int error = MPI_Type_get_extent(type, &lower, &extent);
    *displacement = lower + extent;
    return error;
}
#pragma GCC visibility pop
