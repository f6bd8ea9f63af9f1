/* SPDX-License-Identifier: BSD-3-Clause */
/* gfortran's array descriptor, as it is since GCC 9. Strides are in units of `span` bytes; an
 * assumed-size array's last upper bound is -1. */
#ifndef DESCRIPTOR_H
#define DESCRIPTOR_H

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

/* Returns true: the version is 0, whatever the release. */
INLINE int is_known_descriptor(const struct descriptor *array) { return 1; }

/* Return the extent of dimension `i`, and its stride in bytes. */
INLINE ptrdiff_t section_extent(const struct descriptor *array, int i)
{
    ptrdiff_t extent = array->dimension[i].upper - array->dimension[i].lower + 1;
    return extent > 0 ? extent : 0;
}
INLINE ptrdiff_t section_stride(const struct descriptor *array, int i)
{
    return array->dimension[i].stride * (array->span ? array->span : (ptrdiff_t)array->element_size);
}

/* Returns whether dimension `i` is the last one of an assumed-size array. */
INLINE int is_assumed_size(const struct descriptor *array, int i)
{
    return i == array->rank - 1 && array->dimension[i].upper == -1 && array->dimension[i].lower >= 0;
}

#endif
