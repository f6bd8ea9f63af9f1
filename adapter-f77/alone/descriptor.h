/* SPDX-License-Identifier: BSD-3-Clause */
/* The array descriptors of BIND(C) procedures (Fortran 2018, section 18.5), to which gfortran's others are converted, of
 * all compilers whose layout is known: gfortran's and LLVM flang's differ in what follows the rank, which nobody needs
 * here. Strides are in bytes; an assumed-size array's last extent is -1. */
#ifndef DESCRIPTOR_H
#define DESCRIPTOR_H

#include <string.h>

#include "gfortran.h"

struct descriptor {
    void *base;
    size_t element_size;
    int32_t version;
    int8_t rank, rest[3];
    struct {
        ptrdiff_t lower, extent, stride;
    } dimension[];
};

/* Returns whether the layout is known, by CFI_VERSION: gfortran's, 0 or 1, as its run-time library before 12 stores 0;
 * flang's until 19; flang's since. */
INLINE int is_known_descriptor(const struct descriptor *array)
{
    return (uint32_t)array->version <= 1 || array->version == 20180515 || array->version == 20240719;
}

/* Return the extent of dimension `i`, and its stride in bytes. */
INLINE ptrdiff_t section_extent(const struct descriptor *array, int i)
{
    return array->dimension[i].extent > 0 ? array->dimension[i].extent : 0;
}
INLINE ptrdiff_t section_stride(const struct descriptor *array, int i) { return array->dimension[i].stride; }

/* Returns whether dimension `i` is the last one of an assumed-size array. */
INLINE int is_assumed_size(const struct descriptor *array, int i)
{
    return i == array->rank - 1 && array->dimension[i].extent == -1;
}

/* The most dimensions of an array (Fortran 2008, section 5.3.8.1). */
#define DESCRIBED_DIMENSIONS 15

/* A descriptor with room for all of them. */
struct described {
    struct descriptor array;
    ptrdiff_t dimensions[3 * DESCRIBED_DIMENSIONS];
};

/* The most dimensions of an array of which C can take the address; none has as few as NOT_FLAT. */
enum { NOT_FLAT = -1, FLAT_RANK = 1 };

/* Returns whether C can take the address of gfortran's array as it is: of scalars and arrays of one dimension, cheaply. */
INLINE int gfortran_is_flat(const struct gfortran_descriptor *array, int flat_rank)
{
    if (array->rank > flat_rank)
        return 0;
    return array->rank == 0 || gfortran_stride(array, 0) == (ptrdiff_t)array->element_size;
}

/* Describes gfortran's array in the room, and returns that. A pointer without a target has no bounds. The element size of a
 * polymorphic CHARACTER array is not the actual one, so that its sections are of an unknown layout. */
INLINE struct descriptor *describe(struct described *room, const struct gfortran_descriptor *array)
{
    struct descriptor *described = &room->array;
    ptrdiff_t whole = 1;
    described->base = array->base;
    described->element_size = array->element_size;
    described->version = 1;
    described->rank = array->base ? array->rank : 0;
    for (int i = 0; i < described->rank; i++) {
        described->dimension[i].lower = 0;
        described->dimension[i].extent = gfortran_is_assumed_size(array, i) ? -1 : gfortran_extent(array, i);
        described->dimension[i].stride = gfortran_stride(array, i);
        if (gfortran_is_vague(array) && array->dimension[i].stride != whole)
            described->version = -1;
        whole *= gfortran_extent(array, i);
    }
    return described;
}

/* Does the same for a tool, which may look at what nobody here needs: gfortran's attribute and type, CFI_attribute_other and
 * CFI_type_other. */
INLINE struct descriptor *describe_whole(struct described *room, const struct gfortran_descriptor *array)
{
    memcpy(room->array.rest, (const int8_t[]){ 2, -1, -1 }, sizeof room->array.rest);
    return describe(room, array);
}

/* Whether a tool defines a procedure with descriptors, mpi_x_f08ts_. Until somebody looked, no array is flat, and if one does, none
 * ever is. Threads may look at the same time. */
struct descriptor_tool {
    int8_t flat_rank;
    mpi_function *function;
};

/* Returns the tool's procedure, or null. */
HIDDEN mpi_function *find_tool(struct descriptor_tool *tool, const char *name);

#endif
