/* SPDX-License-Identifier: BSD-3-Clause */
/* Buffers of mpi_f08 that are array descriptors (TYPE(*), DIMENSION(..); MPI-4.1 section 19.1.4):
 * arrays, sections of arrays, scalars. A section that is not contiguous becomes a datatype, which
 * is freed right after the call (MPI keeps it as long as an operation needs it), or a copy where
 * no datatype can stand for it. */
#ifndef SECTION_H
#define SECTION_H

#include "fortran.h"

/* gfortran's array descriptor, as it is since GCC 9. Strides are in units of `span` bytes; an
 * assumed-size array's last upper bound is -1. */
struct descriptor {
    void *base;
    size_t offset;
    size_t element_size;
    int32_t version;
    int8_t rank, type;
    int16_t attribute;
    ptrdiff_t span;
    struct {
        ptrdiff_t stride, lower, upper;
    } dimension[];
};

/* A buffer, as it is passed on to C. */
struct section {
    void *address;
    MPI_Fint *count, *datatype;
    MPI_Count *large_count;
    int failed;                             /* the section can be passed on in no way */
    int has_datatype;
    MPI_Fint made, one;
    MPI_Count large_one;
    void *copy;
    struct descriptor *copied_out;          /* where to copy the results to, or null */
};

INLINE ptrdiff_t section_extent(const struct descriptor *array, int i)
{
    ptrdiff_t extent = array->dimension[i].upper - array->dimension[i].lower + 1;
    return extent > 0 ? extent : 0;
}

INLINE ptrdiff_t section_stride(const struct descriptor *array, int i)
{
    return array->dimension[i].stride * (array->span ? array->span : (ptrdiff_t)array->element_size);
}

INLINE int is_assumed_size(const struct descriptor *array, int i)
{
    return i == array->rank - 1 && array->dimension[i].upper == -1 && array->dimension[i].lower >= 0;
}

static inline int is_contiguous(const struct descriptor *array)
{
    ptrdiff_t size = (ptrdiff_t)array->element_size;
    for (int i = 0; i < array->rank; i++) {
        if (is_assumed_size(array, i))
            return 1;
        ptrdiff_t extent = section_extent(array, i);
        if (extent == 0)
            return 1;
        if (extent != 1 && section_stride(array, i) != size)
            return 0;
        size *= extent;
    }
    return 1;
}

INLINE void begin_section(struct section *section, struct descriptor *array)
{
    section->address = array->base;
    section->failed = section->has_datatype = 0;
    section->copy = 0;
    section->copied_out = 0;
}

/* Makes the datatype of `count` elements of `datatype` in a section that is not contiguous, and of
 * as many behind them for each other process if it is used `in_parts`. */
COLD void make_section(struct section *section, const struct descriptor *array, MPI_Count count, MPI_Fint datatype,
                       int in_parts);
/* Copies such a section. */
COLD void copy_section(struct section *section, struct descriptor *array, int out);
/* Says that a procedure cannot take such a section. */
COLD void section_failed(const char *procedure);
COLD void drop_section(struct section *section);

/* A buffer with a count and a datatype of its own. */
INLINE void open_section(struct section *section, struct descriptor *array, MPI_Fint *count, MPI_Fint *datatype)
{
    begin_section(section, array);
    section->count = count;
    section->datatype = datatype;
    if (unlikely(!is_contiguous(array)))
        make_section(section, array, *count, *datatype, 0);
}

INLINE void open_large_section(struct section *section, struct descriptor *array, MPI_Count *count, MPI_Fint *datatype)
{
    begin_section(section, array);
    section->large_count = count;
    section->datatype = datatype;
    if (unlikely(!is_contiguous(array)))
        make_section(section, array, *count, *datatype, 0);
}

/* The same of a nonblocking collective, which may mean a part of the buffer for each process. */
INLINE void open_section_in_parts(struct section *section, struct descriptor *array, MPI_Fint *count, MPI_Fint *datatype)
{
    begin_section(section, array);
    section->count = count;
    section->datatype = datatype;
    if (unlikely(!is_contiguous(array)))
        make_section(section, array, *count, *datatype, 1);
}

INLINE void open_large_section_in_parts(struct section *section, struct descriptor *array, MPI_Count *count,
                                        MPI_Fint *datatype)
{
    begin_section(section, array);
    section->large_count = count;
    section->datatype = datatype;
    if (unlikely(!is_contiguous(array)))
        make_section(section, array, *count, *datatype, 1);
}

/* A buffer that a blocking procedure reads, or also writes. */
INLINE void open_section_in(struct section *section, struct descriptor *array)
{
    begin_section(section, array);
    if (unlikely(!is_contiguous(array)))
        copy_section(section, array, 0);
}

INLINE void open_section_inout(struct section *section, struct descriptor *array)
{
    begin_section(section, array);
    if (unlikely(!is_contiguous(array)))
        copy_section(section, array, 1);
}

/* A buffer of which the procedure takes nothing but the address. */
INLINE void open_section_at(struct section *section, struct descriptor *array)
{
    begin_section(section, array);
}

/* A buffer that must be contiguous. */
INLINE void open_section_whole(struct section *section, struct descriptor *array)
{
    begin_section(section, array);
    section->failed = !is_contiguous(array);
}

INLINE void close_section(struct section *section)
{
    if (unlikely(section->has_datatype || section->copy))
        drop_section(section);
}

#endif
