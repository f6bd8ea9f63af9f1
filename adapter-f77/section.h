/* SPDX-License-Identifier: BSD-3-Clause */
/* Buffers of mpi_f08 that are array descriptors (TYPE(*), DIMENSION(..); MPI-4.1 section 19.1.4):
 * arrays, sections of arrays, scalars. A section that is not contiguous becomes a datatype, which
 * is freed right after the call (MPI keeps it as long as an operation needs it), or a copy where
 * no datatype can stand for it. */
#ifndef SECTION_H
#define SECTION_H

#include "fortran.h"

#ifdef FORTRAN_ALONE
#include "alone/descriptor.h"
#else
#include "descriptor.h"
#endif

/* Why a section cannot be passed on. UNFIT: the datatype does not fit its elements. */
enum { FAILED = 1, UNFIT, OUT_OF_MEMORY };

/* A buffer, as it is passed on to C. */
struct section {
    void *address;
    MPI_Fint *count, *datatype;
    MPI_Count *large_count;
    int failed;                             /* why the section cannot be passed on, or 0 */
    int has_datatype;
    MPI_Fint made, one;
    MPI_Count large_one;
    void *copy;
    struct descriptor *copied_out;          /* where to copy the results to, or null */
};

/* Returns whether the elements lie one behind the other. An assumed-size array counts as contiguous. */
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

/* Returns whether C can take the array's address as it is. */
INLINE int is_plain(const struct descriptor *array)
{
    return is_known_descriptor(array) && is_contiguous(array);
}

/* Does the same for scalars and arrays of one dimension, cheaply: an array may be plain although this returns 0. */
INLINE int is_flat(const struct descriptor *array)
{
    if (!is_known_descriptor(array) || array->rank > 1)
        return 0;
    return array->rank == 0 || section_stride(array, 0) == (ptrdiff_t)array->element_size;
}

/* Says on stderr that a compiler's array descriptors are not known. */
COLD void descriptor_unknown(const struct descriptor *array);

/* Fills in the address. The section has failed if the compiler's descriptors are not known. */
INLINE void begin_section(struct section *section, struct descriptor *array)
{
    section->address = array->base;
    section->failed = section->has_datatype = 0;
    if (unlikely(!is_known_descriptor(array))) {
        descriptor_unknown(array);
        section->failed = FAILED;
    }
    section->copy = 0;
    section->copied_out = 0;
}

/* Makes the datatype of `count` elements of `datatype` in a section that is not contiguous; if it is used `in_parts`, also
 * of as many elements behind them for each other process. */
COLD void make_section(struct section *section, const struct descriptor *array, MPI_Count count, MPI_Fint datatype,
                       int in_parts);
/* Copies such a section; `out`: close_section() copies the results back. */
COLD void copy_section(struct section *section, struct descriptor *array, int out);
/* Copies such a section for `count` elements of a datatype whose elements are not the section's, unless they are more than it has. */
COLD void copy_unfit_section(struct section *section, struct descriptor *array, MPI_Count count, MPI_Fint datatype, int out);
/* Returns the class of error of a section that failed. Says on stderr that a procedure cannot take such a section, unless it could
 * with more memory. */
COLD int section_failed(const char *procedure, int failed);
/* Copies results back, and frees the datatype and the copy. */
COLD void drop_section(struct section *section);

/* Open a buffer that has a count and a datatype. */
INLINE void open_section(struct section *section, struct descriptor *array, MPI_Fint *count, MPI_Fint *datatype)
{
    begin_section(section, array);
    section->count = count;
    section->datatype = datatype;
    if (unlikely(!section->failed && !is_contiguous(array)))
        make_section(section, array, *count, *datatype, 0);
}
INLINE void open_large_section(struct section *section, struct descriptor *array, MPI_Count *count, MPI_Fint *datatype)
{
    begin_section(section, array);
    section->large_count = count;
    section->datatype = datatype;
    if (unlikely(!section->failed && !is_contiguous(array)))
        make_section(section, array, *count, *datatype, 0);
}

/* Open such a buffer of a blocking procedure, which can do with a copy where no datatype can be made; `out` as above. */
INLINE void open_section_or_copy(struct section *section, struct descriptor *array, MPI_Fint *count, MPI_Fint *datatype, int out)
{
    open_section(section, array, count, datatype);
    if (unlikely(section->failed == UNFIT))
        copy_unfit_section(section, array, *count, *datatype, out);
}
INLINE void open_large_section_or_copy(struct section *section, struct descriptor *array, MPI_Count *count, MPI_Fint *datatype,
                                       int out)
{
    open_large_section(section, array, count, datatype);
    if (unlikely(section->failed == UNFIT))
        copy_unfit_section(section, array, *count, *datatype, out);
}

/* Open a buffer of a nonblocking collective operation, which may use a part of the buffer for each process. */
INLINE void open_section_in_parts(struct section *section, struct descriptor *array, MPI_Fint *count, MPI_Fint *datatype)
{
    begin_section(section, array);
    section->count = count;
    section->datatype = datatype;
    if (unlikely(!section->failed && !is_contiguous(array)))
        make_section(section, array, *count, *datatype, 1);
}
INLINE void open_large_section_in_parts(struct section *section, struct descriptor *array, MPI_Count *count,
                                        MPI_Fint *datatype)
{
    begin_section(section, array);
    section->large_count = count;
    section->datatype = datatype;
    if (unlikely(!section->failed && !is_contiguous(array)))
        make_section(section, array, *count, *datatype, 1);
}

/* Open a buffer that a blocking procedure reads, or reads and writes. */
INLINE void open_section_in(struct section *section, struct descriptor *array)
{
    begin_section(section, array);
    if (unlikely(!section->failed && !is_contiguous(array)))
        copy_section(section, array, 0);
}
INLINE void open_section_inout(struct section *section, struct descriptor *array)
{
    begin_section(section, array);
    if (unlikely(!section->failed && !is_contiguous(array)))
        copy_section(section, array, 1);
}

/* Opens a buffer of which the procedure uses only the address. */
INLINE void open_section_at(struct section *section, struct descriptor *array)
{
    begin_section(section, array);
}

/* Opens a buffer that must be contiguous; else the section has failed. */
INLINE void open_section_whole(struct section *section, struct descriptor *array)
{
    begin_section(section, array);
    section->failed = section->failed || !is_contiguous(array);
}

/* Ends the use of a section, after the call. */
INLINE void close_section(struct section *section)
{
    if (unlikely(section->has_datatype || section->copy))
        drop_section(section);
}

#endif
